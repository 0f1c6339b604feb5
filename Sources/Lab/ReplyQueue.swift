import CSockets

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

/// Replies by their moment, those of one moment in the order they came: a binary heap.
struct ReplyQueue {
    private struct Entry {
        var order: UInt64
        var reply: PendingReply

        func precedes(_ other: Entry) -> Bool {
            (reply.due, order) < (other.reply.due, other.order)
        }
    }

    /// More than this are not kept: a flood loses answers, not memory.
    private static let capacity = 100_000

    private var heap: [Entry] = []
    private var inserted: UInt64 = 0

    var earliest: Int64? { heap.first?.reply.due }

    /// Keeps the reply, and says whether there was room.
    mutating func insert(_ reply: PendingReply) -> Bool {
        guard heap.count < Self.capacity else { return false }
        heap.append(Entry(order: inserted, reply: reply))
        inserted &+= 1
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        return true
    }

    /// Takes out the first reply if it is due at `moment`.
    mutating func next(at moment: Int64) -> PendingReply? {
        guard let first = heap.first, first.reply.due <= moment else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while let child = firstChild(of: parent), heap[child].precedes(heap[parent]) {
            heap.swapAt(child, parent)
            parent = child
        }
        return first.reply
    }

    private func firstChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < heap.count else { return nil }
        return left + 1 < heap.count && heap[left + 1].precedes(heap[left]) ? left + 1 : left
    }
}
