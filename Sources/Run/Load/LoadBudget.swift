import Samples
import Synchronization

/// The bytes that a load may use, as all packets with their headers.
final class LoadBudget: Sendable {
    /// The bytes of all packets for each byte of a body. In packets of 1,500 bytes, the headers of IP, TCP,
    /// TLS and HTTP add 4 %, and acknowledgements of every packet 4 % more.
    private static let overhead = 1.1
    /// Few queues hold more data than the line transfers in this time.
    static let longestQueue = Duration.seconds(1)

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

    /// Counts the data that is on its way when a load ends. This is as much as the line transfers during
    /// `roundTrip` (J. D. C. Little, 1961). Data of more than `longestQueue` is not expected.
    func spendDataOnItsWay(_ roundTrip: Duration) {
        let length = min(roundTrip, Self.longestQueue).inSeconds
        state.withLock { $0.counted += Int64($0.throughput * length) }
    }

    /// Records a throughput in bytes of bodies per second.
    func note(_ throughput: Double) {
        state.withLock { $0.throughput = max($0.throughput, throughput) }
    }

    /// Whether the load may go on. It never goes on again after its end.
    var allowsMore: Bool { allows(.zero) }

    /// Whether a load of `length` at the highest throughput so far stays within the limit. If not, the load
    /// is over.
    ///
    /// When the load ends, data is still on its way, which also counts.
    func allows(_ length: Duration) -> Bool {
        state.withLock { state in
            let later = state.throughput * (length + Self.longestQueue).inSeconds
            let least = Double(limit) / 20
            let expected = (Double(state.counted) + later) * Self.overhead
            let used = Double(state.counted) * Self.overhead
            if max(expected, used + least) >= Double(limit) { state.isOver = true }
            return !state.isOver
        }
    }
}
