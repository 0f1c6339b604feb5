import Foundation
import Servers
import Testing

/// Verdicts on real servers with known delays and losses.
@Suite struct VerdictTests {
    /// Ten names, the default number. With only five names, a short run may lose a query and reach no
    /// verdict.
    private static let names = "abcdefghij".flatMap { ["-d", "\($0).example.com"] }

    /// Compares two ports of dnsdist that delay answers by `delays` milliseconds. The ports drop the shares
    /// `losses` of the queries. Returns the comparison of the second port with the first.
    private func compare(
        delays: [Int],
        losses: [Double] = [],
        _ options: [String]
    ) async throws -> [String: Any] {
        try await withServer(.unbound()) { backend in
            try await withServer(
                .dnsdist(delays: delays, losses: losses, backend: backend.endpoint)
            ) { server in
                try await compare(server.endpoints.map { "\($0)" }, options)
            }
        }
    }

    private func compare(_ endpoints: [String], _ options: [String]) async throws -> [String: Any] {
        let run = try await Command.run(
            ["compare", "used=\(endpoints[0])", "other=\(endpoints[1])", "--format", "json"]
                + Self.names + ["--rate", "200", "--total-rate", "400"]
                // Even if the machine is suspended for a moment, no query times out.
                + ["--timeout", "2s"]
                + options
        )
        #expect(run.errors == "" && run.code == 0)
        let comparisons = try JSON(run.output)["comparisons"] as? [[String: Any]]
        return try #require(comparisons?.first)
    }

    @Test func `a verdict of 20 ms vs 5 ms needs at most 12 rounds`() async throws {
        var comparison: [String: Any] = [:]
        var isSo = false
        // Other load on the machine may delay the decision or the servers' answers.
        for _ in 0..<3 where !isSo {
            comparison = try await compare(delays: [20, 5], [])
            let rounds = comparison["rounds"] as? Int ?? .max
            let difference = comparison["median_difference_ms"] as? Double ?? 0
            isSo =
                comparison["reason"] as? String == "faster" && rounds <= 12
                && (10..<20).contains(difference)
        }
        #expect(comparison["verdict"] as? String == "switch")
        #expect(comparison["reason"] as? String == "faster")
        #expect(isSo, "\(comparison)")
    }

    @Test func `two equal resolvers are not distinguished`() async throws {
        var isApart = true
        // Up to one run in twenty may have a wrong verdict.
        for _ in 0..<2 where isApart {
            let comparison = try await compare(
                delays: [5, 5],
                ["--margin", "0ms", "--rounds", "20"]
            )
            #expect(comparison["rounds"] as? Int == 20)
            let verdict = try #require(comparison["verdict"] as? String)
            isApart = verdict != "too-close" && verdict != "undecided"
        }
        #expect(!isApart)
    }

    @Test(arguments: [0.1, 0.3])
    func `a faster resolver that loses queries is not recommended`(loss: Double) async throws {
        var isAdvised = true
        // In one run of two hundred, at most one query is lost before the resolver is certainly faster.
        for _ in 0..<2 where isAdvised {
            let comparison = try await compare(
                delays: [20, 5],
                losses: [0, loss],
                ["--max-rounds", "40"]
            )
            let verdict = try #require(comparison["verdict"] as? String)
            isAdvised = verdict == "switch"
            if !isAdvised {
                #expect(["keep", "undecided"].contains(verdict), "\(comparison)")
                #expect(comparison["reason"] as? String == "reliability")
            }
        }
        #expect(!isAdvised)
    }

    @Test func `a silent baseline leads to the verdict switch`() async throws {
        try await withServer(.unbound()) { unbound in
            try await withResponder { _ in
                []
            } _: { silent in
                let comparison = try await compare(
                    ["\(silent.endpoint)", "\(unbound.endpoint)"],
                    []
                )
                #expect(comparison["verdict"] as? String == "switch")
                #expect(comparison["reason"] as? String == "baseline-silent")
                let rounds = try #require(comparison["rounds"] as? Int)
                #expect(rounds <= 12)
            }
        }
    }
}
