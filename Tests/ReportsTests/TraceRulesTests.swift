import Analysis
import Catalogue
import Samples
import Statistics
import Testing

@testable import Reports

struct TraceRulesTests {
    private static let now = HistoryFixture.start

    private static func target(
        _ label: String,
        _ endpoint: String,
        over transport: Recording.Transport = "udp"
    ) -> Recording.Target {
        Recording.Target(label: label, endpoint: endpoint, transport: transport, series: .cached)
    }

    private static let brook = target("brook", "198.51.100.1:53")
    private static let encrypted = target("brook", "198.51.100.1:853", over: "tls")
    private static let meadow = target("meadow", "192.0.2.1:53")

    private static func minutes(_ count: Int) -> Timestamp {
        now.advanced(by: .seconds(60 * count))
    }

    /// Returns three rounds, one per minute, the last one at `minute`. All targets except `silent` respond.
    private func rounds(
        to minute: Int,
        silent: [Recording.Target],
        of targets: [Recording.Target] = [Self.brook, Self.encrypted, Self.meadow]
    ) -> [RoundResponses] {
        (0..<3).map { index in
            RoundResponses(
                started: Self.minutes(minute + index - 2),
                marks: [],
                resolvers: targets.map {
                    .init(target: $0, sent: 5, responses: silent.contains($0) ? 0 : 5)
                }
            )
        }
    }

    private func trace(
        _ kind: Notice.Kind,
        of target: Recording.Target,
        since: Timestamp = Self.now,
        atMinute minute: Int
    ) -> KeptTrace {
        KeptTrace(
            vantage: "desk",
            run: "r",
            round: 1,
            target: target,
            kind: kind.rawValue,
            since: since,
            time: Self.minutes(minute),
            path: PathTrace(end: .silent)
        )
    }

    /// Returns the reasons for traces, and adds a trace for each reason, as `watch` does.
    private func reasons(
        _ rules: inout TraceRules,
        atMinute minute: Int,
        silent: [Recording.Target]
    ) -> [Notice] {
        let reasons = rules.reasons(
            after: rounds(to: minute, silent: silent),
            changes: nil,
            judged: nil,
            now: Self.minutes(minute)
        )
        for reason in reasons {
            rules.add(trace(reason.kind, of: reason.target, since: reason.since, atMinute: minute))
        }
        return reasons
    }

    @Test func `an unreachable resolver is traced once, over any transport`() {
        var rules = TraceRules(past: [])
        #expect(reasons(&rules, atMinute: 0, silent: []) == [])
        let found = reasons(&rules, atMinute: 5, silent: [Self.brook, Self.encrypted])
        #expect(found.map(\.target) == [Self.brook] && found[0].kind == .unreachable)
        #expect(found[0].title == "brook (udp) is unreachable")
        // It is not traced again, however long the outage lasts.
        for minute in [6, 64, 65, 66, 600] {
            let again = reasons(&rules, atMinute: minute, silent: [Self.brook, Self.encrypted])
            #expect(again == [], "\(minute)")
        }
        // After a response, the resolver can become unreachable again.
        #expect(reasons(&rules, atMinute: 700, silent: []) == [])
        #expect(reasons(&rules, atMinute: 710, silent: [Self.encrypted]).count == 1)
    }

    @Test func `a resolver is traced at most once per hour, by any program`() {
        var rules = TraceRules(past: [])
        #expect(reasons(&rules, atMinute: 0, silent: [Self.brook]).count == 1)
        var another = TraceRules(past: [trace(.slower, of: Self.brook, atMinute: 0)])
        #expect(reasons(&rules, atMinute: 30, silent: []) == [])
        #expect(reasons(&rules, atMinute: 59, silent: [Self.brook]) == [])
        #expect(reasons(&another, atMinute: 59, silent: [Self.encrypted]) == [])
        // The limit of one trace per hour applies to each resolver.
        #expect(reasons(&another, atMinute: 60, silent: [Self.meadow]).count == 1)
        #expect(reasons(&rules, atMinute: 90, silent: []) == [])
        #expect(reasons(&rules, atMinute: 120, silent: [Self.brook]).count == 1)
        // A clock that was set back does not delay traces.
        #expect(reasons(&another, atMinute: 0, silent: []) == [])
        #expect(reasons(&another, atMinute: 10, silent: [Self.meadow]).count == 1)
    }

    @Test func `only some of many failing resolvers are traced`() {
        let many = (1...20).map { Self.target("r\($0)", "198.51.100.\($0):53") }
        var rules = TraceRules(past: [])
        let found = rules.reasons(
            after: rounds(to: 0, silent: many, of: many + [Self.meadow]),
            changes: nil,
            judged: nil,
            now: Self.now
        )
        #expect(found.count == TraceRules.most)
    }

    @Test func `a new change of speed is traced once`() throws {
        var hours = HistoryHours(clock: .utc)
        let recording = try HistoryFixture().recording(rounds: 0..<960) { query in
            let isSlow = query.resolver == 0 && query.hour >= 240
            return .answer([12.0, 20, 16][query.resolver] + query.noise + (isSlow ? 8 : 0))
        }
        hours.add(whole: recording)
        let whole = HistoryFixture.context(rounds: 0..<960, clock: .utc)
        let finding = try #require(ChangesReport(of: hours, context: whole).findings.first)
        var rules = TraceRules(past: [])
        func found(hoursLater: Int) -> [Notice] {
            let end = Timestamp(hoursSinceEpoch: finding.change.establishedHour + hoursLater)
            let reasons = rules.reasons(
                after: [],
                changes: Changes(judging: hours, until: end),
                judged: nil,
                now: end
            )
            for reason in reasons {
                var kept = trace(reason.kind, of: reason.target, since: reason.since, atMinute: 0)
                kept.time = end
                rules.add(kept)
            }
            return reasons
        }
        let reasons = found(hoursLater: 1)
        #expect(reasons.map(\.target) == [finding.target])
        #expect(reasons.map(\.kind) == [.slower])
        for hours in 2...30 { #expect(found(hoursLater: hours) == [], "\(hours)") }
    }

    private static let hop = IPAddress("192.0.2.1").map {
        PathTrace.Hop(address: $0, roundTrip: .microseconds(1_250))
    }

    @Test(arguments: [
        (
            PathTrace(hops: [hop, nil, hop], end: .answered, site: "a\u{1B}1"),
            "reached at hop 3, site a"
        ),
        (
            PathTrace(hops: [hop], end: .closed),
            "192.0.2.1 1.3 ms; reached at hop 1, no DNS over UDP"
        ),
        (PathTrace(hops: [hop, hop], end: .rejected), "; hop 2 reports it unreachable"),
        (PathTrace(hops: [hop, nil, hop, nil, nil], end: .silent), "; no answer beyond hop 3"),
        (PathTrace(hops: [nil, nil], end: .silent), "Path: no answer from any hop"),
        (PathTrace(hops: [hop, nil], end: .limit), "no answer at hop 2; not reached in 2 hops"),
        (PathTrace(end: .unsent), "Path: no query could be sent."),
        (PathTrace(hops: [hop], end: .unsent), "; no query could be sent beyond hop 1."),
    ])
    func `the sentence states how the trace ended`(path: PathTrace, part: String) {
        let trace = KeptTrace(
            vantage: "desk",
            run: "r",
            round: 1,
            target: Self.brook,
            kind: "unreachable",
            since: Self.now,
            time: Self.now,
            path: path
        )
        #expect(trace.sentence.contains(part), "\(trace.sentence)")
        #expect(!trace.sentence.unicodeScalars.contains("\u{1B}"))
        #expect(trace.sentence.hasPrefix("Path: ") && trace.sentence.hasSuffix("."))
    }

    @Test func `the network round trip is only that of the resolver`() {
        func roundTrip(_ end: PathTrace.End, handshake: Duration? = nil) -> Duration? {
            KeptTrace(
                vantage: "desk",
                run: "r",
                round: 1,
                target: Self.brook,
                kind: "unreachable",
                since: Self.now,
                time: Self.now,
                path: PathTrace(hops: [Self.hop], end: end),
                handshake: handshake
            ).networkRTT
        }
        #expect(roundTrip(.answered) == .microseconds(1_250))
        #expect(roundTrip(.answered, handshake: .milliseconds(2)) == .milliseconds(2))
        #expect(roundTrip(.silent) == nil)
        #expect(roundTrip(.silent, handshake: .milliseconds(2)) == .milliseconds(2))
    }
}
