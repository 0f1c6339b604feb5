import LibC

/// The files of a bundle. A bundle may come from anybody, as an archive that brings FIFOs, devices or
/// files of any size.
package enum BundleFile {
    /// Opens a file for reading, without waiting for another program.
    ///
    /// - Parameters:
    ///   - path: Its place.
    ///   - most: The most octets that it may have.
    /// - Returns: A descriptor, which the caller closes; `nil` where there is no file at `path`.
    /// - Throws: ``EvidenceError`` where it is not a regular file, is larger, or cannot be read.
    package static func open(
        _ path: String,
        atMost most: Int = .max
    ) throws(EvidenceError) -> Int32? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = unsafe LibC.open(path, flags)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            // A socket.
            case ENXIO: throw .notRegular(path)
            default: throw .cannotRead(path, reason: reasonOfSystem())
            }
        }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        let isRegular = isKnown && status.isRegular
        guard isRegular, Int(status.st_size) <= most else {
            close(descriptor)
            throw isRegular ? .tooLarge(path) : .notRegular(path)
        }
        return descriptor
    }

    /// The octets of a regular file; 0 where there is none.
    static func size(_ path: String) -> Int {
        guard let status = fileStatus(path), status.isRegular else { return 0 }
        return Int(status.st_size)
    }
}
