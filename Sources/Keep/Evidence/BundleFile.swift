import LibC

/// The files of an evidence bundle. A bundle may come from an untrusted archive that contains FIFOs, devices
/// or files of any size.
package enum BundleFile {
    /// Opens a file for reading. It does not wait for another program.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - most: The maximum size in bytes.
    /// - Returns: A descriptor, which the caller closes; `nil` if there is no file at `path`.
    /// - Throws: ``EvidenceError`` if the file is not regular, is larger than `most`, or cannot be read.
    package static func open(
        _ path: String,
        atMost most: Int = .max
    ) throws(EvidenceError) -> Int32? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = unsafe LibC.open(path, flags)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            // The path of a socket.
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

    /// The size of a regular file in bytes; 0 if there is no regular file at `path`.
    static func size(_ path: String) -> Int {
        guard let status = fileStatus(path), status.isRegular else { return 0 }
        return Int(status.st_size)
    }
}
