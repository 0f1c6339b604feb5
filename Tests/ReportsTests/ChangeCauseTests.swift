import Analysis
import Catalogue
import DNSWire
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// The causes of changes.
struct ChangeCauseTests {
    private static let rounds = 0..<960

    /// The cause of the slowdown of the first resolver in twenty days, and its sentence. From the tenth day
    /// on, queries for which `isSlower` returns true take 8 ms longer. `misses` returns the share of cache
    /// misses, in the warm-ups or after them. A cache miss takes 40 ms longer.
    private func cause(
        _ isSlower: @escaping (HistoryFixture.Query) -> Bool,
        names: Int = 2,
        roundTrip: ((HistoryFixture.Query) -> Double)? = nil,
        misses: ((HistoryFixture.Query, _ inWarmup: Bool) -> Double)? = nil
    ) throws -> (finding: CauseFinding, sentence: String) {
        var fixture = HistoryFixture()
        fixture.names = (1...names).map { "n\($0).example" }
        let recording = try fixture.recording(rounds: Self.rounds) { query in
            let base = [12.0, 20, 16][query.resolver] + Double(query.name)
            let cycle = 2 * sin(Double(query.hourOfDay) / 24 * 2 * .pi)
            let step = query.hour >= 230 && isSlower(query) ? 8.0 : 0
            func isMiss(_ name: Int, inWarmup: Bool) -> Bool {
                let part = query.round * 100 + query.resolver * 10 + name
                var random = RandomSequence(seed: inWarmup ? 1 : 2, part: part)
                return random.nextFraction() < misses?(query, inWarmup) ?? 0
            }
            let own = isMiss(query.name, inWarmup: false)
            var answer = Observation.answer(base + cycle + step + query.noise + (own ? 40 : 0))
            if misses != nil { answer.cache = own ? .miss : .hit }
            guard query.name == 0 else { return answer }
            if let roundTrip {
                let trip = base - 3 + roundTrip(query) + query.noise / 10
                answer.add(networkRTT: Int64(trip * 1e6))
            }
            if misses != nil {
                let missed = (0..<names).count { isMiss($0, inWarmup: true) }
                let tally = WarmupTally(
                    hits: UInt32(names - missed),
                    misses: UInt32(missed),
                    missTime: missed > 0 ? Int64((base + cycle + 40) * 1e6) : nil
                )
                answer.add(warmup: tally)
            }
            return answer
        }
        let report = HistoryFixture.explained(recording, rounds: Self.rounds)
        let first = try #require(report.findings.first { $0.name == "meadow" && $0.cause != nil })
        return (try #require(first.cause), first.sentence(clock: HistoryFixture.berlin))
    }

    @Test func `a slowdown of all resolvers is due to the user's connection`() throws {
        let (finding, sentence) = try cause { _ in true }
        #expect(finding.cause == .line)
        #expect(
            sentence.contains(" Cause: your own connection (8.0 of 8.1 ms, most of it in 12 of")
        )
    }

    @Test func `a slowdown of one resolver is due to its path or to itself`() throws {
        let (finding, sentence) = try cause { $0.resolver == 0 }
        #expect(finding.cause == .way)
        #expect(sentence.contains(" Cause: the network path to it, or the resolver ("))
    }

    @Test func `network round trips distinguish the path from the resolver`() throws {
        let path = try cause({ $0.resolver == 0 }) { query in
            query.resolver == 0 && query.hour >= 230 ? 8 : 0
        }
        #expect(path.finding.cause == .path)
        #expect(
            path.sentence.contains(" Cause: the network path to it (8.0 of "),
            "\(path.sentence)"
        )
        let resolver = try cause({ $0.resolver == 0 }) { _ in 0 }
        #expect(resolver.finding.cause == .resolver)
        #expect(
            resolver.sentence.contains(
                " Cause: the resolver, or a path that its handshakes do not take (8.1 of "
            )
        )
    }

    @Test func `a slowdown of some names is not due to the path`() throws {
        let (finding, sentence) = try cause({ $0.resolver == 0 && $0.name < 4 }, names: 6)
        #expect(finding.cause == .names)
        #expect(sentence.contains(" Cause: some of the names ("))
    }

    @Test func `more cache misses are due to the cache`() throws {
        let (finding, sentence) = try cause(
            { _ in false },
            names: 6,
            misses: { query, _ in query.resolver == 0 && query.hour >= 230 ? 0.8 : 0.05 }
        )
        #expect(finding.cause == .cache)
        #expect(sentence.contains(" Cause: its cache (2"), "\(sentence)")
    }

    @Test func `cache misses in the warm-ups alone are not a cause`() throws {
        let slower: (HistoryFixture.Query) -> Bool = { $0.resolver == 0 }
        let path = try cause(
            slower,
            names: 6,
            roundTrip: { slower($0) && $0.hour >= 230 ? 8 : 0 },
            misses: { $1 && slower($0) && $0.hour >= 230 ? 0.6 : 0.05 }
        )
        #expect(path.finding.cause == .path, "\(path.sentence)")
    }

    @Test func `an unchanged number of cache misses hides no other cause`() throws {
        let slower: (HistoryFixture.Query) -> Bool = { $0.resolver == 0 }
        let path = try cause(
            slower,
            names: 2,
            roundTrip: { slower($0) && $0.hour >= 230 ? 8 : 0 },
            misses: { _, _ in 0.4 }
        )
        #expect(path.finding.cause == .path, "\(path.sentence)")
    }

    @Test func `a change half due to the connection has no single cause`() throws {
        let (finding, sentence) = try cause { query in
            query.resolver == 0 || (query.hour % 2 == 0)
        }
        #expect([.mixed, .unknown].contains(finding.cause), "\(sentence)")
    }
}
