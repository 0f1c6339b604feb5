import CSockets
import HeapModule

/// A reply that waits for its moment.
struct PendingReply {
    enum Target {
        case datagram(socket: Int, peer: cs_lab_peer)
        case session(Int)
    }

    /// CLOCK_MONOTONIC, in nanoseconds.
    var due: Int64
    var target: Target
    var message: [UInt8]
}

/// Replies by their moment, those of one moment in the order they came.
struct ReplyQueue {
    private struct Entry: Comparable {
        var order: UInt64
        var reply: PendingReply

        static func < (one: Entry, other: Entry) -> Bool {
            (one.reply.due, one.order) < (other.reply.due, other.order)
        }

        static func == (one: Entry, other: Entry) -> Bool { one.order == other.order }
    }

    /// More than this are not kept: a flood loses answers, not memory.
    private static let capacity = 100_000

    private var heap = Heap<Entry>()
    private var inserted: UInt64 = 0

    var earliest: Int64? { heap.min?.reply.due }

    /// Keeps the reply, and says whether there was room.
    mutating func insert(_ reply: PendingReply) -> Bool {
        guard heap.count < Self.capacity else { return false }
        heap.insert(Entry(order: inserted, reply: reply))
        inserted &+= 1
        return true
    }

    /// Takes out the first reply if it is due at `moment`.
    mutating func next(at moment: Int64) -> PendingReply? {
        guard let earliest, earliest <= moment else { return nil }
        return heap.removeMin().reply
    }
}
