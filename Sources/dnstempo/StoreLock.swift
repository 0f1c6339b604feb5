#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps two samplers of one store from overlapping: a lock on a file beside it, which the system
/// lets go however the program ends.
struct StoreLock: ~Copyable {
    private let descriptor: Int32

    init(store path: String) throws(Failure) {
        let file = "\(path).lock"
        let opened = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard opened >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw Failure(.cannotCreate, "cannot write '\(file)': \(reason)")
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            throw Failure(
                .busy,
                "another 'dnstempo sample' is at work on '\(path)'; this one leaves it to that"
            )
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Lets the next one begin.
    consuming func release() {}
}
