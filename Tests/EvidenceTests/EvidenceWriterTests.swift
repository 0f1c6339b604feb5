import Catalogue
import DNSWire
import Foundation
import Testing
import Transports

@testable import Evidence

/// Exchanges that are written to a bundle and read again.
@Suite struct EvidenceWriterTests {
    /// Writes records to a new folder, and passes the folder to `body`.
    private func withWritten<Result>(
        _ records: [ExchangeRecord],
        _ rotation: EvidenceRotation = EvidenceRotation(),
        _ body: (EvidenceFolder) throws -> Result
    ) async throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        let folder = EvidenceFolder(path)
        try folder.make()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try await EvidenceWriter(
            folder,
            vantage: "here",
            version: "1",
            endpoints: EvidenceSamples.endpoints,
            rotation: rotation
        )
        records.forEach(writer.add)
        try await writer.finish()
        return try body(folder)
    }

    private func read(_ folder: EvidenceFolder) throws -> [ExchangeRecord] {
        var records: [ExchangeRecord] = []
        try folder.forEachExchange(of: EvidenceSamples.source) { records.append($0) }
        return records
    }

    private func files(_ folder: EvidenceFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// Returns `count` records, with their positions and the number of queries.
    private func records(_ count: Int) throws -> [ExchangeRecord] {
        try (0..<count).map { index in
            let sending = try EvidenceSamples.sending([(250, EvidenceSamples.answer())])
            var record = ExchangeRecord(try #require(EvidenceSamples.exchange([sending])))
            (record.position, record.queries, record.round) = (index, count, 1)
            return record
        }
    }

    @Test func `a new file begins after the maximum number of bytes`() async throws {
        var rotation = EvidenceRotation()
        rotation.bytes = 1_000
        try await withWritten(try records(30), rotation) { folder in
            let files = try files(folder)
            #expect(files.count >= 4)
            #expect(files == (1...files.count).map { "messages-00000\($0).fstrm" })
            for file in files {
                let path = "\(folder.path)/\(file)"
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                // The size includes the frames of one more exchange, and the frames of the file
                // itself.
                #expect(try #require(size) < 1_500)
            }
            #expect(try read(folder).map(\.position) == Array(0..<30))
        }
    }

    @Test func `a new file begins after the maximum age`() async throws {
        var rotation = EvidenceRotation()
        rotation.time = .zero
        let old = try await withWritten(try records(5), rotation) {
            (files: try files($0), places: try read($0).map(\.position))
        }
        #expect(old.files.count == 6, "the first, and one for each that came later")
        #expect(old.places == Array(0..<5))
        let young = try await withWritten(try records(5)) { try files($0) }
        #expect(young == ["messages-000001.fstrm"])
        let none = try await withWritten([]) { try read($0) }
        #expect(none.isEmpty)
    }

    /// Writes one exchange to a bundle, and returns the exchange that is read from it.
    private func copy(_ record: ExchangeRecord) async throws -> ExchangeRecord {
        let read = try await withWritten([record]) { try self.read($0) }
        #expect(read.count == 1)
        return try #require(read.first)
    }

    private static let endings: [QueryResult] = [
        .timeout, .unreachable("Connection refused"), .noRoute("Network is unreachable"),
        .wrongAddress("No such device"),
        .malformed("HTTP status 404"), .untrusted(Distrust("the certificate is of another")),
        .blocked, .cancelled,
    ]

    @Test(arguments: endings, TransportKind.allCases)
    func `an exchange without an answer is read unchanged`(
        ending: QueryResult,
        transport: TransportKind
    ) async throws {
        for messages in [[], [try EvidenceSamples.sending()]] {
            let exchange = try #require(
                EvidenceSamples.exchange(messages, over: transport) { facts in
                    (facts.ending, facts.fault) = (ending, FailureCause(.httpStatus, "301 /a b"))
                    if messages.isEmpty { facts.sent = EvidenceSamples.start }
                    (facts.roundTrip, facts.connect, facts.handshake) = (4_000, 1, 2)
                    (facts.clockStep, facts.connection) = (-3_000_000_000, .resumed)
                    facts.unkept = .init(counts: [1, 20, 300, 4_000])
                    (facts.isUnverified, facts.isOverHTTP1, facts.clock) = (
                        true, true, .kernelReceive
                    )
                    facts.isEarlyRefused = true
                }
            )
            var record = ExchangeRecord(exchange)
            record.target = try #require(TransportKind.allCases.firstIndex(of: transport))
            (record.round, record.isWarmup, record.question) = (3, true, 1)
            (record.position, record.queries) = (7, 9)
            (record.scheduled, record.lateness) = (EvidenceSamples.start - 5, 5)
            let copy = try await copy(record)
            #expect("\(copy.exchange.result)" == "\(ending)")
            #expect(copy.exchange.facts(over: transport) == exchange.facts(over: transport))
            #expect(copy.exchange.messages == messages)
            #expect(copy.exchange.sent == EvidenceSamples.start)
            #expect(copy.exchange.roundTrip == .nanoseconds(4_000))
            #expect((copy.round, copy.isWarmup) == (3, true))
            #expect((copy.target, copy.question) == (record.target, 1))
            #expect((copy.position, copy.queries) == (7, 9))
            #expect((copy.scheduled, copy.lateness) == (record.scheduled, 5))
        }
    }

    @Test func `answers and strays are read unchanged, to the nanosecond`() async throws {
        let stray = try EvidenceSamples.answer(id: 8)
        let cut = try EvidenceSamples.sending([
            (100, stray), (250, EvidenceSamples.answer(truncated: true)),
        ])
        let again = try EvidenceSamples.sending([(300, EvidenceSamples.answer(code: 3))])
        let exchange = try #require(
            EvidenceSamples.exchange([cut, again]) {
                ($0.connect, $0.isFollowed) = (50_000, true)
            }
        )
        let copy = try await copy(ExchangeRecord(exchange)).exchange
        #expect(copy.messages == [cut, again])
        #expect(copy.truncated == .microseconds(250))
        #expect(copy.roundTrip == .microseconds(600))
        #expect(copy.strays == exchange.strays && copy.strays.wrongID == 1)
        guard case .response(let response) = copy.result else {
            Issue.record("\(copy.result)")
            return
        }
        #expect(response.code == .nxDomain)
    }

    @Test func `a resolver or question outside the plan is rejected`() async throws {
        var record = ExchangeRecord(
            try #require(EvidenceSamples.exchange([]) { $0.ending = .timeout })
        )
        record.question = 2
        await #expect(throws: EvidenceError.self) {
            try await withWritten([record]) { try read($0) }
        }
    }

    @Test func `random bytes are a frame or an error`() throws {
        var random = SystemRandomNumberGenerator()
        let source = FrameSource(
            identity: "here",
            version: "",
            endpoints: EvidenceSamples.endpoints
        )
        let frames = ExchangeOnFile(try records(1)[0], over: .udp).frames(from: source)
        for _ in 0..<3_000 {
            var reader = ExchangeReader(EvidenceSamples.source, file: "x")
            for var frame in frames {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    frame[Int.random(in: frame.indices, using: &random)] = .random(in: 0 ... .max)
                }
                frame.removeLast(Int.random(in: 0...1) * Int.random(in: 0..<frame.count))
                _ = try? reader.take(frame)
            }
            let exchange = (try? reader.end())?.exchange
            for time in [exchange?.roundTrip, exchange?.connect].compactMap({ $0 }) {
                #expect((.zero ... .seconds(5)).contains(time))
            }
        }
    }
}
