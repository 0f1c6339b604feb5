import Samples
import Synchronization

/// The bytes that a load may use, as all packets with their headers.
final class LoadBudget: Sendable {
    /// The bytes of all packets for each byte of a body. In packets of 1,500 bytes, the headers of IP, TCP,
    /// TLS and HTTP add 4 %, and acknowledgements of every packet 4 % more.
    private static let overhead = 1.1

    private struct State {
        /// The bytes of all bodies so far.
        var counted: Int64 = 0
        /// The highest throughput so far, in bytes of bodies per second.
        var throughput = 0.0
        var isOver = false
    }

    private let limit: Int64
    private let state = Mutex(State())

    init(limit: Int64) { self.limit = limit }

    var counted: Int64 { state.withLock(\.counted) }

    /// The estimated bytes of all packets so far.
    var used: Int64 { Int64(Double(counted) * Self.overhead) }

    var isOver: Bool { state.withLock(\.isOver) }

    func spend(_ bytes: Int64) { state.withLock { $0.counted += bytes } }

    /// Records a throughput in bytes of bodies per second.
    func note(_ throughput: Double) {
        state.withLock { $0.throughput = max($0.throughput, throughput) }
    }

    /// Whether the load may go on. It never goes on again after its end.
    var allowsMore: Bool { allows(.zero) }

    /// Whether a load of `length` at the highest throughput so far stays within the limit. If not, the load
    /// is over.
    ///
    /// When a load ends, packets are still on their way: at most as many as a second transfers, because few
    /// queues hold more.
    func allows(_ length: Duration) -> Bool {
        state.withLock { state in
            let later = state.throughput * (1 + length.inSeconds)
            let least = Double(limit) / 20
            let expected = (Double(state.counted) + later) * Self.overhead
            let used = Double(state.counted) * Self.overhead
            if max(expected, used + least) >= Double(limit) { state.isOver = true }
            return !state.isOver
        }
    }
}
