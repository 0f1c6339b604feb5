import Synchronization

/// Events for those who look on (server-sent events, HTML §9.2).
final class EventBroadcaster: Sendable {
    /// Each holds a connection.
    static let mostReaders = 64
    private static let interval = Duration.seconds(15)

    private struct Readers {
        var next = 0
        var streams: [Int: AsyncStream<String>.Continuation] = [:]
        var isClosed = false
    }

    private let readers = Mutex(Readers())

    /// The events from now on; `nil` where too many look on already.
    func subscribe() -> AsyncStream<String>? {
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
        // So that a reader that has gone is noticed.
        let pulse = ": \n\n"
        continuation.yield(pulse)
        let beating = Task {
            while (try? await Task.sleep(for: Self.interval)) != nil { continuation.yield(pulse) }
        }
        continuation.onTermination = { [weak self] _ in
            beating.cancel()
            self?.readers.withLock { _ = $0.streams.removeValue(forKey: number) }
        }
        return stream
    }

    func announce(_ edition: Int) {
        for stream in readers.withLock({ Array($0.streams.values) }) {
            stream.yield("event: edition\ndata: \(edition)\n\n")
        }
    }

    func close() {
        let streams = readers.withLock { readers in
            readers.isClosed = true
            return Array(readers.streams.values)
        }
        for stream in streams { stream.finish() }
    }
}
