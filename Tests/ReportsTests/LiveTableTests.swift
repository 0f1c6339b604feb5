import DNSWire
import Fixtures
import Measurement
import Statistics
import Testing

@testable import Reports
@testable import Samples

struct LiveTableTests {
    private static let evidence: [EvidenceProgress?] = [
        nil, EvidenceProgress(share: 0.429), EvidenceProgress(verdict: .switch, share: 1),
        EvidenceProgress(verdict: .keep, reason: .withinMargin, share: 1),
        EvidenceProgress(reason: .reliability, share: 1),
        EvidenceProgress(verdict: .keep, reason: .slower, share: 1),
        EvidenceProgress(verdict: .keep, reason: .tampering, share: 1),
    ]

    private func progress(
        resolvers: Int,
        done: Int = 30,
        planned: Int = 100,
        isCompared: Bool = false
    ) -> LiveProgress {
        let scope = RunScope(
            targets: [],
            timeout: .seconds(5),
            rounds: 10,
            isOpenEnded: false,
            queries: planned,
            duration: .zero
        )
        var snapshot = RunProgress(of: scope).snapshot(after: .zero)
        (snapshot.done, snapshot.round, snapshot.settledRound) = (done, 3, 3)
        snapshot.remaining = .seconds(21)
        return LiveProgress(
            snapshot: snapshot,
            resolvers: (0..<resolvers).map { index in
                let times =
                    (0..<(10 * index)).map { Double(10 * index + $0) }
                    + [Double](repeating: .infinity, count: index == 2 ? 3 : 0)
                return LiveProgress.Resolver(
                    name: "resolver-\(index + 1)",
                    answered: 10 * index,
                    failed: index == 2 ? 3 : 0,
                    latency: LatencySummary(answers: times, nonAnswers: 0, timeout: 5000),
                    isInUse: index == 0,
                    evidence: isCompared ? Self.evidence[index % Self.evidence.count] : nil
                )
            }
        )
    }

    @Test(arguments: [30, 40, 60, 80, 120])
    func `the view shows each resolver and the progress of the run`(width: Int) throws {
        let lines = LiveTable(width: width, height: 24, colour: false)
            .lines(progress(resolvers: 7, isCompared: true))
        try Golden.expect(lines.map { $0 + "\n" }.joined(), in: "live-\(width).txt")
    }

    @Test(arguments: [1, 2, 3, 4, 5, 9, 24], [1, 5, 12, 30, 80, 300])
    func `the view fits every terminal`(height: Int, width: Int) {
        for count in [0, 1, 4, 40] {
            for colour in [false, true] {
                let lines = LiveTable(width: width, height: height, colour: colour)
                    .lines(progress(resolvers: count, isCompared: colour))
                #expect((1...height).contains(lines.count))
                #expect(lines.allSatisfy { $0.displayWidth <= width })
                #expect(lines.allSatisfy { !$0.contains("\n") })
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 24], [1, 12, 80])
    func `a message instead of the progress fits every terminal`(height: Int, width: Int) {
        var progress = progress(resolvers: 4)
        progress.status = ["round 3 at 06:54:36: 40 answered; stored", "round 4 is due\u{1B}[2J"]
        let lines = LiveTable(width: width, height: height, colour: false).lines(progress)
        #expect((1...height).contains(lines.count))
        #expect(lines.allSatisfy { $0.displayWidth <= width && !$0.contains("\u{1B}") })
        if width > 8 { #expect(lines.last?.hasPrefix("  round 4") == true) }
        if height > 6 { #expect(lines.count == 1 + 4 + 2) }
    }

    @Test func `resolvers that do not fit are counted`() {
        let lines = LiveTable(width: 80, height: 6, colour: false).lines(progress(resolvers: 8))
        #expect(lines.count == 6)
        #expect(lines[4] == "  and 5 more")
    }

    @Test(arguments: [
        (done: 0, filled: 0), (done: 50, filled: 20), (done: 99, filled: 39),
        (done: 100, filled: 40), (done: 250, filled: 40), (done: -3, filled: 0),
    ])
    func `the progress bar is full at the end and not before`(done: Int, filled: Int) throws {
        let lines = LiveTable(width: 100, height: 24, colour: false)
            .lines(progress(resolvers: 0, done: done))
        let line = try #require(lines.last)
        #expect(line.count { $0 == "━" } == filled)
        #expect(line.count { $0 == "━" || $0 == "─" } == 40)
        #expect(line.hasSuffix("round 3 of 10, 21 s left"))
    }

    @Test func `a run until sure shows its maximum length`() throws {
        var open = progress(resolvers: 0, done: 1)
        open.snapshot.scope.isOpenEnded = true
        let lines = LiveTable(width: 100, height: 24, colour: false).lines(open)
        #expect(lines.last?.hasSuffix("round 3 of at most 10, at most 21 s left") == true)
    }

    @Test func `a run without candidates shows no evidence`() {
        let lines = LiveTable(width: 100, height: 24, colour: false).lines(progress(resolvers: 3))
        #expect(!lines.contains { $0.contains("evidence") || $0.contains("decided") })
        #expect(lines.first?.contains("95 % sure") == true)
    }

    @Test func `the view shows the series if there are two`() throws {
        var fixture = try Fixture(rounds: 1, names: 1)
        fixture.add("a") { _ in .answer(10) }
        let cached = fixture.targets[0]
        var uncached = cached
        uncached.series = .uncached
        let plan = Plan(
            targets: [cached, uncached],
            targetGroups: [0, 0],
            questions: fixture.questions
        )
        let live = LiveProgress(
            RunProgress(of: plan).snapshot(after: .zero),
            evidence: [1: EvidenceProgress(share: 0.5)]
        )
        #expect(live.resolvers.map(\.name) == ["a", "a, uncached"])
        #expect(live.resolvers.map(\.evidence?.share) == [nil, 0.5])
    }

    @Test func `the view is also available as one line`() {
        let progress = progress(resolvers: 7, isCompared: true)
        #expect(
            progress.line
                == "round 3 of 10: resolver-1 not asked; resolver-2 14.0 ms, 42 % of the evidence; "
                + "resolver-3 31.0 ms, 13.0 % failed, faster; resolver-4 44.0 ms, not faster; "
                + "resolver-5 59.0 ms, faster but fails more; resolver-6 74.0 ms, not faster; "
                + "resolver-7 89.0 ms, failed a check"
        )
    }

    @Test func `a resolver with distant answers is not called slow to connect`() {
        var resolver = progress(resolvers: 2).resolvers[1]
        resolver.evidence = EvidenceProgress(verdict: .undecided, reason: .edge, share: 1)
        let words = LiveEvidence(of: resolver)
        #expect(words.phrase == "not faster to content" && words.shortCell.text == "content")
    }

    @Test(arguments: [12, 40, 120])
    func `resolvers without verification are named`(width: Int) throws {
        var progress = progress(resolvers: 3)
        progress.resolvers[1].isUnverified = true
        let table = LiveTable(width: width, height: 24, colour: false).lines(progress)
        let line = try #require(table.dropLast().last)
        #expect("  Not verified: resolver-2".hasPrefix(line.dropLast()) && line.count <= width)
        #expect(progress.line.contains("; resolver-2 14.0 ms, not verified; resolver-3 "))
    }

    @Test func `the ASCII view has the same number of columns`() {
        for width in [40, 80, 120] {
            let lines = LiveTable(width: width, height: 24, colour: false)
                .lines(progress(resolvers: 7, isCompared: true))
            for line in lines {
                let plain = ASCIIText.text(line)
                #expect(plain.utf8.allSatisfy { $0 < 0x80 })
                #expect(plain.count { $0 == "?" } == line.count { $0 == "?" })
                #expect(plain.displayWidth == line.displayWidth)
            }
        }
        #expect(ASCIIText.text("a東é") == "a???")
    }

    @Test(arguments: [
        ("p95 ≤ 30 µs – or …", "p95 <= 30 us - or ..."),
        ("−1 ms, ±2 %, a → b", "-1 ms, +-2 %, a -> b"),
        ("13\u{A0}ms", "13 ms"),
        // Columns keep their positions if enough spaces separate them.
        ("harbo…   1 ms\n  ≥ 30 s   –", "harbo... 1 ms\n >= 30 s   -"),
        ("b…  x  ≥ 1", "b... x >= 1"),
    ])
    func `ASCII replaces signs by common spellings`(text: String, spelled: String) {
        #expect(ASCIIText.spelled(text) == spelled)
    }

    @Test func `an ASCII line fits the terminal`() {
        #expect(ASCIIText.spelled("≤ 30 ms …", width: 9) == "< 30 ms ~")
        #expect(ASCIIText.spelled("≤ 30 ms …", width: 12) == "<= 30 ms ...")
    }

    @Test func `names keep their characters if the terminal can show them`() {
        #expect(ASCIIText.spelled("Büro ━━", keepsData: true) == "Büro ==")
        #expect(ASCIIText.spelled("Büro ━━") == "B?ro ==")
        #expect(ASCIIText.spelled("Büro …", width: 6, keepsData: true) == "Büro ~")
    }

    @Test func `a snapshot of a run shows the names of its targets`() throws {
        var fixture = try Fixture(rounds: 2, names: 1)
        var outcomes: [Observation] = [.answer(10), .none(.timeout)]
        outcomes[0].extras = .init(flags: .unverified)
        fixture.add("a") { outcomes[$0] }
        fixture.add("a", transport: "tcp") { _ in .none(.offline) }
        var plan = Plan(
            targets: fixture.targets,
            targetGroups: [0, 0],
            questions: fixture.questions
        )
        plan.rounds = 2
        let progress = RunProgress(of: plan)
        for sample in fixture.samples { progress.note(sample, inRound: Int(sample.round) + 1) }
        let live = LiveProgress(progress.snapshot(after: .zero), inUse: "a")
        #expect(live.resolvers.map(\.name) == ["a (udp)", "a (tcp)"])
        #expect(live.resolvers.map(\.answered) == [1, 0])
        #expect(live.resolvers.map(\.failed) == [1, 0])
        #expect(live.resolvers.map(\.isUnverified) == [true, false])
        #expect(live.resolvers.map(\.latency.median) == [10, nil])
        #expect(live.resolvers.map(\.latency.count) == [2, 0])
        #expect(live.resolvers.map(\.isInUse) == [true, true])
        #expect(live.resolvers.map(\.medianInterval) == [nil, nil])
        #expect((live.snapshot.done, live.snapshot.round) == (4, 2))
        #expect((live.snapshot.scope.queries, live.snapshot.scope.rounds) == (4, 2))
    }

    @Test func `a resolver that was set aside is marked`() {
        var progress = progress(resolvers: 2, isCompared: true)
        progress.resolvers[1].evidence = EvidenceProgress(verdict: .keep, reason: .slower, share: 1)
        progress.resolvers[1].evidence?.stoppedAfter = 12
        #expect(progress.line.contains("stopped after 12 rounds: not faster"))
        let lines = LiveTable(width: 120, height: 24, colour: false).lines(progress)
        #expect(lines[2].contains("stopped after 12: not faster"))
        progress.resolvers[1].evidence = EvidenceProgress(
            verdict: .undecided,
            reason: .setAside,
            share: 1
        )
        progress.resolvers[1].evidence?.stoppedAfter = 1
        #expect(progress.line.contains("stopped after 1 round: others are faster"))
    }
}
