package import Catalogue
import Failures
import Synchronization

/// Writes exchanges to the files of a bundle while a run goes on, which does not wait for it.
package final class EvidenceWriter: Sendable {
    private struct Waiting {
        var records: [ExchangeOnFile] = []
        /// The octets of their messages.
        var octets = 0
        /// How many came while too many waited, or since none can be written any more.
        var lost = 0
        var isOver = false
    }

    /// The exchanges that are still to be written.
    private final class Queue: Sendable {
        let waiting = Mutex(Waiting())
    }

    private let queue = Queue()
    /// By the plan's index of targets.
    private let transports: [TransportKind]
    private let news: AsyncStream<Void>.Continuation
    private let writing: Task<Void, any Error>

    private static let pause = Duration.milliseconds(10)
    /// More than a run leaves behind while a disk has a bad minute.
    private static let mostWaiting = 500_000
    private static let mostOctets = 256 << 20

    /// Begins the first file; throws where that cannot be. `endpoints` are by the plan's index of
    /// targets.
    package init(
        _ folder: EvidenceFolder,
        vantage: String,
        version: String,
        endpoints: [Endpoint],
        rotation: EvidenceRotation = EvidenceRotation()
    ) async throws {
        let source = FrameSource(
            identity: vantage,
            version: "dnstempo \(version)",
            endpoints: endpoints
        )
        let files = FrameFiles(folder, source, rotation)
        try await files.begin()
        let (stream, news) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.news = news
        transports = endpoints.map(\.transport)
        writing = Task(priority: .utility) { [queue] in
            do {
                for await _ in stream {
                    // Many at a time, since to be woken costs more than to write one; and not too many,
                    // which would keep others from their turn.
                    try? await Task.sleep(for: Self.pause)
                    try await files.write(
                        queue.waiting.withLock { waiting in
                            defer { (waiting.records, waiting.octets) = ([], 0) }
                            return waiting.records
                        }
                    )
                }
                try await files.finish()
            } catch {
                queue.waiting.withLock { ($0.records, $0.isOver) = ([], true) }
                throw error
            }
        }
    }

    /// Takes an exchange that has ended.
    package func add(_ record: ExchangeRecord) {
        let record = ExchangeOnFile(record, over: transports[record.target])
        let isFirst = queue.waiting.withLock { waiting in
            guard !waiting.isOver, waiting.records.count < Self.mostWaiting,
                waiting.octets < Self.mostOctets
            else {
                waiting.lost += 1
                return false
            }
            waiting.records.append(record)
            waiting.octets += record.size
            return waiting.records.count == 1
        }
        if isFirst { news.yield() }
    }

    /// Writes what is left; throws where something could not be written.
    package func finish() async throws {
        news.yield()
        news.finish()
        try await writing.value
        let lost = queue.waiting.withLock(\.lost)
        guard lost == 0 else {
            throw EvidenceError(
                .inputOutput,
                "evidence lacks \(lost) queries: the disk was too slow for them"
            )
        }
    }
}

/// When the next file of a bundle begins.
package struct EvidenceRotation: Hashable, Sendable {
    /// Once a file has so many octets.
    package var octets = 256 << 20
    /// So long after it began.
    package var time = Duration.seconds(86_400)

    package init() {}
}

/// The files of frames of a bundle, which are written one after the other.
private actor FrameFiles {
    private let folder: EvidenceFolder
    private let source: FrameSource
    private let rotation: EvidenceRotation
    private let clock = ContinuousClock()
    private var writer: FrameWriter?
    private var number = 0
    private var octets = 0
    private var began: ContinuousClock.Instant

    init(_ folder: EvidenceFolder, _ source: FrameSource, _ rotation: EvidenceRotation) {
        self.folder = folder
        self.source = source
        self.rotation = rotation
        began = clock.now
    }

    private var path: String { folder.messages(number) }

    func begin() throws {
        number += 1
        (octets, began) = (0, clock.now)
        writer = try FrameWriter(path: path)
    }

    func write(_ records: [ExchangeOnFile]) throws {
        for record in records {
            if octets >= rotation.octets || began.duration(to: clock.now) >= rotation.time {
                try finish()
                try begin()
            }
            for frame in record.frames(from: source) {
                try writer?.write(frame, path: path)
                octets += frame.count + 4
            }
        }
    }

    func finish() throws {
        if let writer = writer.take() { try writer.finish(path: path) }
    }
}
