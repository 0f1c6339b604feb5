import CSockets
import HeapModule

/// A reply that is not due yet.
struct PendingReply {
    enum Target {
        case datagram(socket: Int, peer: cs_lab_peer)
        case session(Int)
    }

    /// The due time by CLOCK_MONOTONIC, in nanoseconds.
    var due: Int64
    var target: Target
    var message: [UInt8]
}

/// Replies by their due time. Replies with the same due time stay in the order of insertion.
struct ReplyQueue {
    private struct Entry: Comparable {
        var order: UInt64
        var reply: PendingReply

        static func < (one: Entry, other: Entry) -> Bool {
            (one.reply.due, one.order) < (other.reply.due, other.order)
        }

        static func == (one: Entry, other: Entry) -> Bool { one.order == other.order }
    }

    /// The maximum number of replies. A flood loses answers and does not use more memory.
    private static let capacity = 100_000

    private var heap = Heap<Entry>()
    private var inserted: UInt64 = 0

    var earliest: Int64? { heap.min?.reply.due }

    /// Stores the reply, and returns whether there was room.
    mutating func insert(_ reply: PendingReply) -> Bool {
        guard heap.count < Self.capacity else { return false }
        heap.insert(Entry(order: inserted, reply: reply))
        inserted &+= 1
        return true
    }

    /// Removes and returns the first reply if it is due at `moment`.
    mutating func next(at moment: Int64) -> PendingReply? {
        guard let earliest, earliest <= moment else { return nil }
        return heap.removeMin().reply
    }
}
