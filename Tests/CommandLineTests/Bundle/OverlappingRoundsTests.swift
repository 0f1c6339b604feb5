import Servers
import Synchronization
import Testing

/// The evidence of rounds whose last query ends while later rounds run.
@Suite struct OverlappingRoundsTests {
    /// Counts the queries for each name.
    private final class Counts: Sendable {
        private let counts = Mutex<[[UInt8]: Int]>([:])

        /// Returns the number of earlier queries for the same question, and counts this query.
        func before(_ query: ReceivedQuery) -> Int {
            counts.withLock { counts in
                defer { counts[query.question, default: 0] += 1 }
                return counts[query.question, default: 0]
            }
        }
    }

    private static let names = (1...6).flatMap { ["-d", "name\($0).test"] }

    /// Watches for six rounds of 60 ms, which begin every 100 ms. Expects that the evidence is recomputed.
    /// Returns the samples.
    private func expectSoundWatch(
        _ script: @escaping @Sendable (ReceivedQuery) -> [ResponderAction],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Table {
        let folder = TemporaryFolder()
        return try await withResponder(script: script) { responder in
            let run = try await Binary.run(
                ["watch", "\(responder.endpoint)"] + Self.names
                    + ["--interval", "100ms", "--rate", "200", "--rounds", "6", "--timeout", "3s"]
                    + ["--no-store", "--no-check", "-q", "--evidence", "kept"],
                in: folder.path
            )
            #expect(run.code == 0, "\(run.errors)", sourceLocation: sourceLocation)
            let recomputed = try await Binary.run(
                ["report", "--recompute", "kept"],
                in: folder.path
            )
            #expect(
                recomputed.code == 0 && recomputed.errors == "",
                "\(recomputed.errors)",
                sourceLocation: sourceLocation
            )
            let path = try #require(recomputed.output.split(separator: "'").dropFirst().first)
            return Table(folder.text(String(path)))
        }
    }

    @Test func `evidence of a round includes warm-ups that end after the round`() async throws {
        let counts = Counts()
        let samples = try await expectSoundWatch { query in
            // A TTL of 137 s looks like the rest of a cached answer's TTL. Each round sends a warm-up query
            // and a counted query for each name.
            let answer = ResponderAction.reply(query.answer(ttl: 137))
            let isWarmup = counts.before(query).isMultiple(of: 2)
            return isWarmup ? [.pause(.milliseconds(350)), answer] : [answer]
        }
        #expect(samples.column("warmup_hits").count { $0 == "6" } == 6)
    }

    @Test func `rounds that end in another order than they begin are recomputed`() async throws {
        let counts = Counts()
        let samples = try await expectSoundWatch { query in
            let number = counts.before(query)
            let answer = ResponderAction.reply(query.answer(ttl: UInt32(100 + number)))
            // Earlier rounds have later answers.
            return [.pause(.milliseconds(max(0, 900 - 75 * number))), answer]
        }
        #expect(Set(samples.column("round")).count == 6)
    }

    @Test func `a round excludes only block pages that were found before its end`() async throws {
        let folder = TemporaryFolder()
        let counts = Counts()
        try await withResponder { query in
            [.reply(query.answer(addresses: [[198, 51, 100, 1]]))]
        } _: { blocking in
            try await withResponder { query in
                // For each name, the first five queries fail. Later answers have a different address per
                // name.
                let own = query.question[1]
                return counts.before(query) < 5
                    ? [.reply(query.answer(rcode: 2, addresses: []))]
                    : [.reply(query.answer(addresses: [[192, 0, 2, own]]))]
            } _: { open in
                let bundle = try await KeptBundle.comparing(
                    ["blocking=\(blocking.endpoint)", "open=\(open.endpoint)"]
                        + ["-d", "1.name.test", "-d", "2.else.test", "--rounds", "12"]
                        + ["--rate", "500", "--total-rate", "1000", "--no-check", "--no-floor"],
                    in: folder
                )
                let outcomes = Set(bundle.samples.column("outcome"))
                #expect(outcomes.isSuperset(of: ["filtered", "answered", "failed"]))
                try await bundle.expectSound()
            }
        }
    }
}
