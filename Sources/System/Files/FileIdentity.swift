import LibC

/// Tells a file from another that took its name.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// `nil` where there is no file.
    package init?(_ path: String) {
        guard let status = fileStatus(path) else { return nil }
        self.init(status)
    }

    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// Tells a file from what it was before somebody wrote into it.
package struct FileState: Equatable, Sendable {
    private let file: FileIdentity
    private let size: Int64
    /// When it was last written: the octets of a `timespec`.
    private let written: [UInt8]

    /// `nil` where there is no file.
    package init?(_ path: String) {
        guard let status = fileStatus(path) else { return nil }
        file = FileIdentity(status)
        size = Int64(status.st_size)
        written = unsafe withUnsafeBytes(of: status.modified) { unsafe Array($0) }
    }
}
