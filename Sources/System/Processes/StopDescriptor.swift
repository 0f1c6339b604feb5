import LibC
import Synchronization

/// A descriptor that blocking work polls together with its own descriptors.
package final class StopDescriptor: Sendable {
    /// The descriptor; -1 if the system has no more descriptors. Then only deadlines end the work.
    package let descriptor: Int32
    private let other: Mutex<Int32>

    /// The descriptor of the whole program, for readers of a central store.
    package static let program = StopDescriptor()

    package init() {
        var ends: [Int32] = [-1, -1]
        if unsafe pipe(&ends) == 0 {
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        descriptor = ends[0]
        other = Mutex(ends[1])
    }

    package func hangUp() {
        other.withLock { other in
            if other >= 0 { close(other) }
            other = -1
        }
    }

    deinit {
        hangUp()
        if descriptor >= 0 { close(descriptor) }
    }
}
