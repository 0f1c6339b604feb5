import Synchronization

/// Tells those who look on that there is something new.
final class Bulletin: Sendable {
    /// A server-sent event (HTML §9.2).
    enum Event: Hashable, Sendable {
        /// The store is another than before.
        case edition(Int)
        /// Nothing; the connection is still there.
        case pulse

        var text: String {
            switch self {
            case .edition(let number): "event: edition\ndata: \(number)\n\n"
            case .pulse: ": \n\n"
            }
        }
    }

    /// Each holds a connection.
    static let mostReaders = 64
    private static let pulse = Duration.seconds(15)

    private struct Readers {
        var next = 0
        var streams: [Int: AsyncStream<Event>.Continuation] = [:]
        var isClosed = false
    }

    private let readers = Mutex(Readers())

    /// The events from now on; `nil` where too many look on already.
    func subscribe() -> AsyncStream<Event>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = readers.withLock { readers -> Int? in
            guard readers.streams.count < Self.mostReaders, !readers.isClosed else { return nil }
            readers.next += 1
            readers.streams[readers.next] = continuation
            return readers.next
        }
        guard let number else { return nil }
        // So that a reader that has gone is noticed.
        let beating = Task {
            while (try? await Task.sleep(for: Self.pulse)) != nil { continuation.yield(.pulse) }
        }
        continuation.onTermination = { [weak self] _ in
            beating.cancel()
            self?.readers.withLock { _ = $0.streams.removeValue(forKey: number) }
        }
        continuation.yield(.pulse)
        return stream
    }

    /// Tells all that the store has come to this edition.
    func announce(_ edition: Int) {
        let streams = readers.withLock { Array($0.streams.values) }
        for stream in streams { stream.yield(.edition(edition)) }
    }

    /// Ends every stream.
    func close() {
        let streams = readers.withLock { readers in
            readers.isClosed = true
            return Array(readers.streams.values)
        }
        for stream in streams { stream.finish() }
    }
}
