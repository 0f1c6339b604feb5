import Synchronization

/// Events for those who look on (server-sent events, HTML §9.2).
final class EventBroadcaster: Sendable {
    /// Each holds a connection.
    static let mostReaders = 64
    private static let interval = Duration.seconds(15)

    /// The events that one reader is told, and the end of them once it has gone.
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

    /// Tells of the store's `edition` until another is announced.
    init(edition: Int) { readers = Mutex(Readers(edition: edition)) }

    /// The present edition, again and again, and each new one; `nil` where too many look on already.
    ///
    /// So nothing is missed that came while the reader's page was on its way, or that it was too slow to
    /// take; and that a reader has gone is noticed.
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
