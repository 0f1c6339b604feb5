package import Catalogue
import Failures
import Synchronization

/// Writes exchanges to the files of a bundle during a run. The run does not wait for the writer.
package final class EvidenceWriter: Sendable {
    private struct Waiting {
        var records: [ExchangeOnFile] = []
        /// The total size of their messages in bytes.
        var bytes = 0
        /// The number of lost exchanges. They arrived while the queue was full, or after writing had failed.
        var lost = 0
        var isOver = false
    }

    /// The exchanges that are not yet written.
    private final class Queue: Sendable {
        let waiting = Mutex(Waiting())
    }

    private let queue = Queue()
    /// The transports, by the plan's index of targets.
    private let transports: [TransportKind]
    private let news: AsyncStream<Void>.Continuation
    private let writing: Task<Void, any Error>

    private static let pause = Duration.milliseconds(10)
    /// More exchanges than a run adds while a disk is slow for a minute.
    private static let mostWaiting = 500_000
    private static let mostBytes = 256 << 20

    /// Begins the first file. Throws if the file cannot be created. `endpoints` are in the order of the
    /// plan's targets.
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
                    // Writes many exchanges at a time, because a wake-up costs more than writing one
                    // exchange. The batches are limited, so that other tasks get their turn.
                    try? await Task.sleep(for: Self.pause)
                    try await files.write(
                        queue.waiting.withLock { waiting in
                            defer { (waiting.records, waiting.bytes) = ([], 0) }
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

    /// Adds an exchange that has ended.
    package func add(_ record: ExchangeRecord) {
        let record = ExchangeOnFile(record, over: transports[record.target])
        let isFirst = queue.waiting.withLock { waiting in
            guard !waiting.isOver, waiting.records.count < Self.mostWaiting,
                waiting.bytes < Self.mostBytes
            else {
                waiting.lost += 1
                return false
            }
            waiting.records.append(record)
            waiting.bytes += record.size
            return waiting.records.count == 1
        }
        if isFirst { news.yield() }
    }

    /// Writes the remaining exchanges. Throws if any exchange was not written.
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

/// The limits after which the next file of a bundle begins.
package struct EvidenceRotation: Hashable, Sendable {
    /// The maximum size of a file in bytes.
    package var bytes = 256 << 20
    /// The maximum time during which a file is written.
    package var time = Duration.seconds(86_400)

    package init() {}
}

/// The files of frames of a bundle, written one after the other.
private actor FrameFiles {
    private let folder: EvidenceFolder
    private let source: FrameSource
    private let rotation: EvidenceRotation
    private let clock = ContinuousClock()
    private var writer: FrameWriter?
    private var number = 0
    private var bytes = 0
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
        (bytes, began) = (0, clock.now)
        writer = try FrameWriter(path: path)
    }

    func write(_ records: [ExchangeOnFile]) throws {
        for record in records {
            if bytes >= rotation.bytes || began.duration(to: clock.now) >= rotation.time {
                try finish()
                try begin()
            }
            for frame in record.frames(from: source) {
                try writer?.write(frame, path: path)
                bytes += frame.count + 4
            }
        }
    }

    func finish() throws {
        if let writer = writer.take() { try writer.finish(path: path) }
    }
}
