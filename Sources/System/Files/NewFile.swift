package import Failures
import LibC

/// A new file that is written in pieces, while other processes may read it.
package final class NewFile: Sendable {
    private let path: String
    private let descriptor: Int32

    package init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw Failure(.cannotCreate, "cannot make '\(path)': \(reasonOfSystem())")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func append(_ bytes: [UInt8]) throws(Failure) {
        guard writeAll(bytes[...], to: descriptor) else {
            throw Failure(.inputOutput, "cannot write '\(path)': \(reasonOfSystem())")
        }
    }
}
