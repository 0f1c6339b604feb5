import Synchronization

/// Sends events to subscribed readers (server-sent events, HTML §9.2).
final class EventBroadcaster: Sendable {
    /// The maximum number of readers. Each reader holds a connection.
    static let mostReaders = 64
    private static let interval = Duration.seconds(15)

    /// The events for one reader, and the function that ends the subscription.
    typealias Events = (
        stream: AsyncStream<String>, continuation: AsyncStream<String>.Continuation
    )

    private struct Readers {
        var edition: Int
        var next = 0
        var streams: [Int: AsyncStream<String>.Continuation] = [:]
        var isClosed = false
    }

    private let readers: Mutex<Readers>

    /// Announces the store's `edition` until the next announcement.
    init(edition: Int) { readers = Mutex(Readers(edition: edition)) }

    /// The current edition, repeatedly, and each new edition. `nil` if there are too many readers.
    ///
    /// The repetition ensures that a reader misses no edition while its page loads or if it reads slowly. It
    /// also detects readers that have gone.
    func subscribe() -> Events? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = readers.withLock { readers -> Int? in
            guard readers.streams.count < Self.mostReaders, !readers.isClosed else { return nil }
            readers.next += 1
            readers.streams[readers.next] = continuation
            return readers.next
        }
        guard let number else { return nil }
        let beating = Task { [weak self] in
            while let edition = self?.readers.withLock({ $0.edition }) {
                continuation.yield(Self.event(edition))
                guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
            }
        }
        continuation.onTermination = { [weak self] _ in
            beating.cancel()
            self?.readers.withLock { _ = $0.streams.removeValue(forKey: number) }
        }
        return (stream, continuation)
    }

    func announce(_ edition: Int) {
        let streams = readers.withLock { readers in
            readers.edition = edition
            return Array(readers.streams.values)
        }
        for stream in streams { stream.yield(Self.event(edition)) }
    }

    private static func event(_ edition: Int) -> String { "event: edition\ndata: \(edition)\n\n" }

    func close() {
        let streams = readers.withLock { readers in
            readers.isClosed = true
            return Array(readers.streams.values)
        }
        for stream in streams { stream.finish() }
    }
}
