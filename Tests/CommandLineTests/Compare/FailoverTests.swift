import Foundation
import Servers
import Synchronization
import Testing

/// The advice for a pair whose first server is silent, compared with the behaviour of the C library.
@Suite(.enabled("a resolv.conf of its own and port 53 take root", PrivateResolver.isPossible))
struct FailoverTests {
    /// A report's advice for a pair of resolvers.
    private struct Advice {
        var first: String
        var second: String
        var lines: [String]
        var failover: [String: Int]

        init(_ json: String) throws {
            let document = try JSONSerialization.jsonObject(with: Data(json.utf8))
            let advice = try #require((document as? [String: Any])?["advice"] as? [String: Any])
            let addresses = try #require(advice["addresses"] as? [String])
            try #require(addresses.count == 2)
            first = addresses[0]
            second = addresses[1]
            lines = try #require(advice["resolv_conf"] as? [String])
            let members = try #require(advice["failover"] as? [String: NSNumber])
            failover = members.mapValues(\.intValue)
        }
    }

    /// The queried servers, with the times of the queries.
    private final class Arrivals: Sendable {
        private let all = Mutex<[(server: Int, moment: ContinuousClock.Instant)]>([])

        func note(_ server: Int) {
            all.withLock { $0.append((server, ContinuousClock().now)) }
        }

        var servers: [Int] { all.withLock { $0.map(\.server) } }
        var moments: [ContinuousClock.Instant] { all.withLock { $0.map(\.moment) } }
    }

    /// The advice for two resolvers. The second resolver is faster. Each resolver has one answer time of
    /// `slowest` milliseconds.
    private func advice(slowest: Int) async throws -> Advice {
        let addresses = [PrivateResolver.freeAddress(), PrivateResolver.freeAddress()]
        var rows = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,name,type,outcome,"
                + "rtt_ms,timeout_ms"
        ]
        for query in 0..<240 {
            let (round, resolver) = (query / 20 + 1, query % 2)
            let second = String(query % 60 + 100).dropFirst()
            let time = "2026-10-01T10:\(String(round + 100).dropFirst()):\(second).000000Z"
            let trip = query < 2 ? slowest : (resolver == 0 ? 40 : 10) + query % 7
            rows.append(
                "r,\(round),\(time),\(time),here,\(["old", "new"][resolver]),"
                    + "\(addresses[resolver]):53,udp,n\(query / 2 % 10).example.com,A,answered,"
                    + "\(trip).5,5000"
            )
        }
        let folder = TemporaryFolder()
        try folder.write(rows.map { $0 + "\n" }.joined(), to: "s.csv")
        let run = try await Command.succeed(
            ["report", "s.csv", "--baseline", "old", "--format", "json"],
            in: folder.path
        )
        let advice = try Advice(run.output)
        #expect([advice.first, advice.second] == [addresses[1], addresses[0]])
        return advice
    }

    /// Looks up a name with `lines` in resolv.conf. The first server of the advised pair is silent. The
    /// second server is also silent unless `answers` is true.
    private func lookUp(
        _ advice: Advice,
        lines: [String],
        answers: Bool
    ) async throws -> (run: CommandOutput, arrivals: Arrivals, end: ContinuousClock.Instant) {
        let arrivals = Arrivals()
        let folder = TemporaryFolder()
        let silent: ScriptedResponder.Script = { _ in
            arrivals.note(0)
            return []
        }
        let other: ScriptedResponder.Script = { query in
            arrivals.note(1)
            return answers ? [.reply(query.answer(addresses: [[192, 0, 2, 77]]))] : []
        }
        return try await withResponder(address: advice.first, port: 53, script: silent) { _ in
            try await withResponder(address: advice.second, port: 53, script: other) { _ in
                let run = try await PrivateResolver.getent(
                    "host.example.com.",
                    lines: lines,
                    in: folder
                )
                return (run, arrivals, ContinuousClock().now)
            }
        }
    }

    /// Repeats a look-up until it takes the stated time. Other load on the machine may delay a look-up. The
    /// load may also delay the record of the first query, and then the look-up seems shorter.
    ///
    /// `time` performs a look-up and returns its duration. The result is `nil` if the servers received other
    /// queries than expected, for example after a late answer.
    private func expect(_ seconds: Int?, _ time: () async throws -> Duration?) async throws {
        let said = Duration.seconds(try #require(seconds))
        let (least, most) = (said - .milliseconds(50), said + .milliseconds(500))
        var took = try await time()
        for _ in 0..<9 where !(took.map { $0 > least && $0 < most } ?? false) {
            took = try await time()
        }
        let last = try #require(took, "the servers were asked otherwise")
        #expect(last > least)
        #expect(last < most)
    }

    /// The time from the first query to the second query, which the other server answers. `nil` if the
    /// servers received other queries.
    private func wait(_ advice: Advice, lines: [String]) async throws -> Duration? {
        let (run, arrivals, _) = try await lookUp(advice, lines: lines, answers: true)
        guard arrivals.servers == [0, 1] else { return nil }
        #expect(run.output.contains("192.0.2.77"), "\(run.errors)")
        return arrivals.moments[1] - arrivals.moments[0]
    }

    @Test(arguments: [(40, 1), (1_400, 2)])
    func `the printed lines give the stated waiting time`(slowest: Int, seconds: Int) async throws {
        let advice = try await advice(slowest: slowest)
        #expect(advice.failover["wait_s"] == seconds)
        try await expect(seconds) { try await wait(advice, lines: advice.lines) }
    }

    @Test func `a look-up without the options line waits as long as stated`() async throws {
        let advice = try await advice(slowest: 40)
        let servers = advice.lines.filter { $0.hasPrefix("nameserver") }
        #expect(servers.count == 2)
        try await expect(advice.failover["default_wait_s"]) {
            try await wait(advice, lines: servers)
        }
    }

    @Test func `a look-up with two silent resolvers fails after the stated time`() async throws {
        let advice = try await advice(slowest: 40)
        try await expect(advice.failover["surrender_s"]) {
            let (run, arrivals, end) = try await lookUp(advice, lines: advice.lines, answers: false)
            #expect(run.code == 2)
            guard arrivals.servers == [0, 1, 0, 1] else { return nil }
            return end - arrivals.moments[0]
        }
    }
}
