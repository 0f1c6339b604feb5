import Catalogue
import DNSWire
import Samples
import Testing

struct MeasurementContextTests {
    private func sample(_ second: Int64, site: String?, ms: Double? = nil) -> Sample {
        var observation = Observation(outcome: ms == nil && site == nil ? .timeout : .answered)
        observation.sent = Timestamp(nanoseconds: second * 1_000_000_000)
        observation.roundTrip = ms.map { Int64($0 * 1e6) }
        if let site { observation.extras = Observation.Extras(site: site) }
        return Sample(
            round: Int32(second),
            target: 0,
            question: 0,
            scheduled: Timestamp(nanoseconds: second * 1_000_000_000),
            observation: observation
        )
    }

    @Test(arguments: [
        (sites: "aa-a", intervals: 1, moves: []),
        (sites: "aa-abbb", intervals: 2, moves: ["4 a b"]),
        // Two answers of a new site are too few for a move.
        (sites: "aaabb", intervals: 2, moves: []),
        (sites: "ababab", intervals: 6, moves: []),
        (sites: "aaaaaabaaaa", intervals: 3, moves: []),
        (sites: "abbacdcc", intervals: 6, moves: ["4 a c"]),
        (sites: "--", intervals: 0, moves: []),
    ])
    func `alternating servers are not a new site`(sites: String, intervals: Int, moves: [String]) {
        let sites = sites.map { $0 == "-" ? nil : String($0) }
        var history = SiteHistory()
        let samples = sites.enumerated().map { sample(Int64($0.offset), site: $0.element) }
        for sample in samples { history.add(sample) }
        #expect(history.intervals.count == intervals)
        let found = history.moves.map { move in
            "\(move.moment.nanoseconds / 1_000_000_000) \(move.from) \(move.to)"
        }
        #expect(found == moves)
        #expect(history.changes.count == max(0, intervals - 1))
        #expect(Set(history.sites) == Set(sites.compactMap(\.self)))
    }

    @Test func `a long absence from a site is two moves`() {
        var history = SiteHistory()
        let sites = [String](repeating: "a", count: 40) + [String](repeating: "b", count: 40)
        for (offset, site) in (sites + sites).enumerated() {
            history.add(sample(Int64(offset), site: site))
        }
        #expect(history.moves.map(\.from) == ["a", "b", "a"])
        #expect(history.moves.map { $0.moment.nanoseconds / 1_000_000_000 } == [40, 80, 120])
    }

    @Test func `pieces in any order yield the same history`() {
        let sites = Array("aaaabbbbaaaa").map(String.init)
        let samples = sites.enumerated().map { sample(Int64($0.offset), site: $0.element) }
        var whole = SiteHistory()
        for sample in samples { whole.add(sample) }
        var pieces = SiteHistory()
        for part in [samples[6...], samples[..<2], samples[2..<6]] {
            var piece = SiteHistory()
            for sample in part { piece.add(sample) }
            pieces.add(piece)
        }
        #expect(pieces == whole)
    }

    @Test func `distances use the median of each name`() {
        let readings: [(target: Int, question: Int, reach: Reach)] = [
            (0, 0, .connected(.milliseconds(10))), (0, 0, .connected(.milliseconds(4))),
            (0, 1, .connected(.milliseconds(8))), (0, 2, .refused), (1, 0, .blocked),
            (1, 1, .connected(.milliseconds(30))), (2, 1, .silent), (3, 0, .blocked),
        ]
        let distances = AnswerDistances(
            port: 443,
            readings: readings.map {
                AnswerDistance(
                    target: $0.target,
                    question: $0.question,
                    address: "192.0.2.1",
                    reach: $0.reach
                )
            }
        )
        #expect(distances.medians(ofTarget: 0) == [0: .milliseconds(4), 1: .milliseconds(8)])
        #expect(distances.median(ofTarget: 0) == .milliseconds(4))
        #expect(distances.median(ofTarget: 2) == nil)
        #expect(
            (0...4).map { distances.isBlocked(target: $0) } == [false, false, false, true, false]
        )
    }

    @Test func `the instrument check reports its faults`() throws {
        #expect(InstrumentCheck(roundTrips: [], clocks: [:], wakeLateness: []) == nil)
        let good = try #require(
            InstrumentCheck(roundTrips: [30, 20, 40], clocks: [.kernel: 3], wakeLateness: [9])
        )
        #expect(good.median == 30 && good.slowness == nil && good.tardiness == nil)
        let bad = try #require(
            InstrumentCheck(
                roundTrips: [2_000_000],
                clocks: [.user: 1],
                wakeLateness: [3_000_000],
                clockStep: 5
            )
        )
        #expect(bad.slowness == 2_000_000 && bad.tardiness == 3_000_000)
    }

    @Test func `a percentile of too few readings is nil`() throws {
        #expect(InstrumentCheck.p99(Array(1...99)) == nil)
        #expect(InstrumentCheck.p99(Array(1...100)) == 99)
        #expect(InstrumentCheck.p99(Array(1...1000)) == 990)
        #expect(InstrumentCheck.median([]) == nil)
        let check = try #require(
            InstrumentCheck(
                roundTrips: [1, 1, 1, 1],
                clocks: [.kernel: 3, .user: 1],
                wakeLateness: [],
                sendLateness: [2_000_000, 1_000_000, 10]
            )
        )
        #expect(check.clock == .user && check.share(of: .kernel) == 0.75)
        #expect(check.sent(within: 1_000_000) == 2)
        let kernel = InstrumentCheck(
            roundTrips: [1],
            clocks: [.kernel: 1, .user: 0],
            wakeLateness: []
        )
        #expect(kernel?.clock == .kernel)
    }
}
