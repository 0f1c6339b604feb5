import LibC

/// Distinguishes a file from another file of the same name.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Creates the identity of the file at a path; `nil` if there is no file.
    package init?(_ path: String) {
        guard let status = fileStatus(path) else { return nil }
        self.init(status)
    }

    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// Distinguishes the states of a file before and after a modification.
package struct FileState: Equatable, Sendable {
    private let file: FileIdentity
    private let size: Int64
    /// The time of the last modification: the bytes of a `timespec`.
    private let written: [UInt8]

    /// Reads the state of the file at a path; `nil` if there is no file.
    package init?(_ path: String) {
        guard let status = fileStatus(path) else { return nil }
        file = FileIdentity(status)
        size = Int64(status.st_size)
        written = unsafe withUnsafeBytes(of: status.modified) { unsafe Array($0) }
    }
}
