import Catalogue
import Fixtures
import SQLite
import Samples
import Testing

@testable import Store

struct CheckTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("store.sqlite") }

    private func fill(_ rounds: Int = 40) throws {
        var simulation = try Simulation()
        _ = try simulation.fill(try Store(path: path), run: "r", rounds: rounds)
    }

    private func tamper(_ sql: String) throws { try OtherProgram.run(sql, on: path) }

    @Test func `texts are stored and read byte by byte`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        var round = simulation.round()
        // Swift compares the last two strings as equal, although their bytes differ.
        let details = ["a\0b", "a\0c", "\u{e9}", "e\u{301}"]
        for (index, detail) in details.enumerated() {
            round.samples[index].observation.extras = .init(detail: Detail(detail))
        }
        try simulation.append(round, to: store)
        #expect(try store.check().findings == [])
        let read = try store.recording(Store.Window(includesMarked: true)).samples
        #expect(
            read.prefix(4).map { $0.observation.extras?.detail.map { Array($0.description.utf8) } }
                == details.map { Array($0.utf8) }
        )
    }

    @Test func `samples of a pruned round are found`() throws {
        try fill()
        try tamper(
            "INSERT INTO pruning VALUES (1, 9000000); UPDATE round SET pruned = 1 WHERE number = 3"
        )
        let findings = try Store(path: path).check().findings
        #expect(findings == ["round 3 of run 'r' was pruned, and has samples"])
    }

    private static let threeSamples = """
        run,round,scheduled,sent,vantage,resolver,endpoint,transport,name,type,outcome,rcode,\
        rtt_ms,connect_ms,handshake_ms,ttl,answers,bytes,late_ms,clock,timeout_ms,site,\
        connection,detail,flags
        r,1,2026-11-21T03:35:12.122456Z,2026-11-21T03:35:12.123456Z,here,home,127.0.0.1:53,\
        udp,example.com,A,answered,NOERROR,14.2,,,300,1,64,1.0,kernel,5000,,,,
        r,1,2026-11-21T03:35:13.122456Z,2026-11-21T03:35:13.122456Z,here,near,127.0.0.1:853,\
        tls,example.com,A,answered,NOERROR,7.5,3.25,9.125,300,1,64,0,user,5000,fra1,new,words,\
        unverified
        r,1,2026-11-21T03:35:14.122456Z,2026-11-21T03:35:14.122456Z,here,home,127.0.0.1:53,\
        udp,example.com,A,failed,SERVFAIL,2.5,,,,0,32,0,kernel,5000,,,,

        """

    /// Every version of the program must accept the checksums of these rows.
    @Test func `the checksums of rows never change`() throws {
        var rest = Array(Self.threeSamples.utf8)
        var stream = SamplesStream(.csv, file: "x") {
            defer { rest = [] }
            return rest
        }
        let store = try Store(path: path)
        _ = try store.importSamples(&stream)
        let notice = SentNotice(
            target: try #require(store.targets().first),
            kind: "slower",
            since: Timestamp(nanoseconds: 1000),
            sent: Timestamp(nanoseconds: 2000),
            isDelivered: true
        )
        try store.note([notice], from: "here")
        try store.noteJudged(until: Timestamp(hourNumber: 5), from: "here")
        let hop = PathTrace.Hop(
            address: try #require(IPAddress("192.0.2.1")),
            roundTrip: .nanoseconds(1234)
        )
        let trace = KeptTrace(
            vantage: "here",
            run: "r",
            round: 1,
            target: notice.target,
            kind: "slower",
            since: Timestamp(nanoseconds: 1000),
            time: Timestamp(nanoseconds: 2000),
            path: PathTrace(hops: [nil, hop], end: .answered, site: "fra1")
        )
        try store.note([trace])
        let expected: [String: [Int64]] = [
            "run": [-4_969_485_936_149_443_622], "round": [6_543_762_946_947_404_085],
            "rollup": [-8_070_927_599_893_644_633, 1_431_037_439_725_721_217],
            "connection": [5_392_804_514_026_335_336], "notice": [-6_783_517_225_571_235_679],
            "judgement": [-4_829_229_043_894_640_407], "trace": [-1_661_927_555_929_001_402],
        ]
        for (table, checksums) in expected {
            let found = try store.read { database in
                try database.rows("SELECT checksum FROM \(table) ORDER BY 1") {
                    try $0.integer(0)
                }
            }
            #expect(found == checksums, "\(table)")
        }
        try uncountRounds()
        #expect(try Store(path: path).check().findings == [])
    }

    /// Changes the sums to rows of versions before 15, which did not count rounds.
    private func uncountRounds() throws {
        try OtherProgram.run(
            """
            UPDATE rollup SET rounds = NULL, unanswered = NULL, checksum = CASE checksum
                WHEN -8070927599893644633 THEN -8840998787840255728
                WHEN 1431037439725721217 THEN -4602783753618147202 END
            """,
            on: path
        )
    }

    @Test func `the check reports no findings for an intact store`() throws {
        try fill()
        let store = try Store(path: path, access: .readOnly)
        let result = try store.check()
        #expect(result.isSound && result.rounds == 40 && result.samples == 360)
        #expect(try result.rollups == store.rollups().count)
    }

    @Test(arguments: [
        (
            "DELETE FROM detail; DELETE FROM sample WHERE round = 17 AND position = 8",
            "round 17 of run 'r' has 8 samples where 9 were stored"
        ),
        (
            "UPDATE rollup SET timeouts = timeouts + 1 WHERE key = 1 AND hour = 498676",
            "the hourly sum of home, A, from here at 2026-11-21T04:00:00.000000Z differs"
        ),
        (
            "UPDATE sample SET round_trip = round_trip + 2000000 WHERE round = 3 AND state & 7 = 0",
            "at 2026-11-21T03:00:00.000000Z differs from its samples"
        ),
        (
            "DELETE FROM rollup WHERE key = 2 AND hour = 498675",
            "the hourly sum of work, A, from here at 2026-11-21T03:00:00.000000Z is missing"
        ),
        (
            "DELETE FROM connection; DELETE FROM warmup; DELETE FROM rollup; DELETE FROM rollup_key",
            "round 1 of run 'r' has samples without an hourly sum"
        ),
        ("UPDATE rollup SET sketch = x'0102' WHERE key = 1", "not a latency sketch"),
        ("UPDATE rollup SET answered = -1 WHERE key = 1", "a count is invalid"),
        ("DELETE FROM connection WHERE key = 1 AND hour = 498675", "differs from its samples"),
        ("UPDATE connection SET reused = reused + 1 WHERE key = 1", "differs from its samples"),
        ("UPDATE connection SET handshake = x'0102' WHERE key = 1", "not a latency sketch"),
        ("UPDATE connection SET checksum = checksum + 1 WHERE key = 1", "is not as it was stored"),
        (
            "UPDATE connection SET hour = 498600 WHERE key = 1 AND hour = 498675",
            "a row of connection refers to a row of rollup"
        ),
        ("DELETE FROM warmup WHERE key = 1 AND hour = 498675", "differs from its samples"),
        ("UPDATE warmup SET hits = hits + 1 WHERE key = 1", "differs from its samples"),
        ("UPDATE warmup SET misses = -1 WHERE key = 1", "a count is invalid"),
        ("UPDATE warmup SET checksum = checksum + 1 WHERE key = 1", "is not as it was stored"),
        (
            "UPDATE warmup SET hour = 498600 WHERE key = 1 AND hour = 498675",
            "a row of warmup refers to a row of rollup"
        ),
        ("DELETE FROM question WHERE id = 2", "a row of probe refers to a row of question"),
        ("DELETE FROM round WHERE id = 5", "a row of sample refers to a row of round"),
        ("UPDATE sample SET state = 7777777777 WHERE round = 1", "a sample has no state"),
        ("UPDATE detail SET hits = hits + 1", "is not as it was stored"),
        ("UPDATE detail SET misses = misses + 1", "is not as it was stored"),
        ("UPDATE detail SET miss_time = miss_time + 1", "is not as it was stored"),
    ])
    func `the check reports and names each changed row`(sql: String, finding: String) throws {
        try fill()
        try tamper(sql)
        let result = try Store(path: path, access: .readOnly).check()
        #expect(result.findings.contains { $0.contains(finding) })
        #expect(result.findings.allSatisfy { !$0.contains("\n") })
    }

    /// The check must find a flipped bit in a used byte, unless all stored values stay the same.
    @Test func `the check finds one changed byte`() throws {
        try fill(12)
        let bytes = try File.read(path)
        // The identity of a file is random, and nothing depends on its value.
        let contents = try OtherProgram.contents(path, except: "store")
        let used = bytes.indices.filter { $0 >= 100 && bytes[$0] != 0 }
        let copy = folder.file("damaged.sqlite")
        var found = 0
        for place in stride(from: 0, to: used.count, by: 97) {
            let offset = used[place]
            var damaged = bytes
            damaged[offset] ^= 0x10
            try File.write(damaged, to: copy)
            let findings: [String]
            do {
                findings = try Store(path: copy, access: .readOnly).check().findings
            } catch {
                findings = [error.description]
            }
            if findings.isEmpty {
                let isSame = try OtherProgram.contents(copy, except: "store") == contents
                #expect(isSame, "the byte at \(offset)")
            } else {
                found += 1
            }
        }
        #expect(found > used.count / 97 / 2)
    }

    @Test func `pruning drops samples and keeps rounds and rollups`() throws {
        try fill(60)
        let store = try Store(path: path)
        let (before, rollups) = (try store.info(), try store.rollups())
        let limit = Simulation.start.advanced(by: .seconds(3 * 3600 + 1800))
        let pruned = try store.prune(olderThan: limit)
        let hour = Simulation.start.advanced(by: .seconds(3 * 3600))
        #expect(pruned == 36 * 9)
        let info = try store.info()
        #expect(info.samples == 24 * 9 && info.prunedSamples == pruned && info.rounds == 60)
        #expect(info.prunedBefore == hour && info.bytes < before.bytes)
        #expect(try store.rollups() == rollups)
        #expect(try store.recording().samples.allSatisfy { $0.scheduled >= hour })
        #expect(try store.check().findings == [])
        #expect(try store.prune(olderThan: limit) == 0)
        let history = try store.history(.init())
        #expect(history.hours == Simulation.start..<hour && history.lost == nil)
        #expect(history.recording.samples.count == 24 * 9)
    }

    @Test func `the check finds a changed cache share after its samples were pruned`() throws {
        try fill()
        _ = try Store(path: path).prune(olderThan: Timestamp(nanoseconds: .max))
        try tamper("UPDATE warmup SET hits = hits + 1 WHERE key = 1")
        let findings = try Store(path: path, access: .readOnly).check().findings
        #expect(!findings.isEmpty)
        #expect(findings.allSatisfy { $0.hasSuffix(" is not as it was stored") })
    }

    /// Samples of an hour may also come after samples of this hour were pruned.
    @Test(arguments: ["pruned", "stored later"])
    func `the check finds a missing sum in a pruned hour`(samples: String) throws {
        if samples == "pruned" { try fill() }
        let pruned = try Store(path: path).prune(olderThan: Timestamp(hourNumber: 498_677))
        if samples == "stored later" { try fill() }
        let store = try Store(path: path)
        #expect(try store.check().findings == [])
        for table in ["connection", "warmup", "rollup"] {
            try tamper("DELETE FROM \(table) WHERE key = 2 AND hour = 498675")
        }
        let findings = try store.check().findings
        #expect(findings.count == 1)
        let start = "the hourly sums at 2026-11-21T03:00:00.000000Z count "
        #expect(findings.first?.hasPrefix(start) == true, "\(findings)")
        // A merge takes only the intact rounds.
        let mended = try Store(path: folder.file("mended.sqlite"))
        let result = try mended.merge(from: store)
        #expect((result.lackingRounds > 0) == (pruned > 0))
        #expect(result.rounds + result.lackingRounds == 40)
        #expect(result.samples == 360 - pruned)
        #expect(try mended.check().findings == [])
        let again = try mended.merge(from: store)
        #expect(again.rounds == 0 && again.lackingRounds == result.lackingRounds)
    }

    @Test func `pruning returns space to the disk`() throws {
        try fill(900)
        let store = try Store(path: path)
        let before = try store.info().bytes
        _ = try store.prune(olderThan: Timestamp(nanoseconds: .max))
        let after = try store.info().bytes
        #expect(after < before / 2, "\(after) of \(before)")
        #expect(try store.check().findings == [])
    }
}
