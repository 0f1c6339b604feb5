import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps two programs from taking rounds for one store at the same time, when together they would
/// ask faster than either may: a lock on a file beside it, which the system lets go however the
/// program ends.
final class StoreLock: Sendable {
    private let path: String
    private let descriptor: Int32
    /// Rounds of this program that are under way.
    private let holders = Mutex(0)

    init(store path: String) throws(Failure) {
        self.path = path
        let file = "\(path).lock"
        descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw Failure(
                .cannotCreate,
                "cannot write '\(file)': \(reason); make its folder writable, or name another "
                    + "with --store"
            )
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether no other program holds it, and this one does now; to be released as often.
    func take() -> Bool {
        holders.withLock { holders in
            if holders == 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return false }
            holders += 1
            return true
        }
    }

    /// Takes it, or says that another program is at work.
    func takeNow() throws(Failure) {
        guard take() else {
            throw Failure(
                .busy,
                "another 'dnstempo sample' or 'dnstempo watch' is at work on '\(path)'; this one "
                    + "leaves it to that"
            )
        }
    }

    /// Lets the next one begin, once it is released as often as it was taken.
    func release() {
        holders.withLock { holders in
            holders -= 1
            if holders == 0 { flock(descriptor, LOCK_UN) }
        }
    }
}
