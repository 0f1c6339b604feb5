import Analysis
import Charts
import Samples
import Statistics
import Testing

@testable import Reports

/// A run that stops querying candidates which cannot be recommended.
struct EliminatedRunTests {
    /// The medians in milliseconds. The first one is the median of the baseline.
    private static let medians = [30.0, 8, 8.4, 8.8, 9.2, 19, 55]

    /// Returns the run, and the resolvers that each round queries. The evidence of the earlier rounds decides
    /// which resolvers a round queries.
    private func measured(margin: Double = 5) throws -> (Recording, asked: [[Int]], Fixture) {
        var fixture = try Fixture(rounds: 60)
        fixture.context.baseline = "r0"
        fixture.context.rules = ComparisonRules(margin: margin)
        for (index, median) in Self.medians.enumerated() {
            fixture.add(
                "r\(index)",
                endpoint: "127.0.0.1:53\(10 + index)",
                outcome: Fixture.noise(median, 1.5, seed: UInt64(index + 1))
            )
        }
        var builder = EvidenceBuilder(
            targets: fixture.targets,
            baseline: "r0",
            rules: fixture.context.rules,
            endsWithVerdict: true,
            eliminates: true
        )
        var all = fixture.recording
        all.runs[0].origin = .compare
        var run = all
        (run.rounds, run.samples) = ([], [])
        var asked: [[Int]] = []
        for round in all.rounds.indices where !builder.isDecided {
            asked.append(builder.asked)
            let wanted = Elimination.names(
                asking: builder.asked.count,
                inUse: fixture.questions.count,
                totalRate: 15
            )
            var part = all
            part.rounds = [all.rounds[round]]
            part.samples = all.samples.filter {
                Int($0.round) == round && builder.asked.contains(Int($0.target))
                    && (Int($0.question) + round) % fixture.questions.count < wanted
            }
            for index in part.samples.indices { part.samples[index].round = 0 }
            builder.add(round: part)
            run.merge(part)
        }
        #expect(builder.isDecided)
        #expect(builder.progress[5]?.reason == .setAside)
        return (run, asked, fixture)
    }

    @Test func `slow resolvers are set aside first, with the reason in a recording`() throws {
        let (run, asked, fixture) = try measured()
        #expect(asked[0] == Array(0...6))
        let end = try #require(asked.last)
        #expect(end.contains(0) && end.contains(1) && !end.contains(5) && !end.contains(6))
        #expect(asked.count < 60)
        let read = try #require(
            SeriesEvidence.all(
                of: RecordingTally(of: run),
                baseline: "r0",
                rules: fixture.context.rules
            ).first
        )
        #expect(read.rounds == asked.count)
        #expect(Set(read.departures.keys) == Set(0...6).subtracting(end))
        for (target, departure) in read.departures {
            #expect(departure.rounds == asked.count { $0.contains(target) })
            #expect(read.rank(of: target) == nil)
        }
        #expect(end.allSatisfy { read.rank(of: $0) != nil })
        let verdicts = Dictionary(
            uniqueKeysWithValues: read.candidates.map { ($0.target, $0.comparison) }
        )
        // r6 is slower than the baseline, which is its verdict. r5 is faster than the baseline, but slower
        // than three other resolvers.
        #expect(verdicts[6]?.verdict == .keep && read.departures[6]?.betters == [])
        #expect(verdicts[5]?.verdict == .undecided && verdicts[5]?.reason == .setAside)
        #expect(read.departures[5]?.betters.count == 3)
        #expect(verdicts[1]?.verdict == .switch)
    }

    @Test func `a resolver that was set aside has the median of the shared rounds`() throws {
        let (run, asked, fixture) = try measured()
        let report = ComparisonReport(of: run, context: fixture.context)
        let rows = Dictionary(uniqueKeysWithValues: report.rows.map { ($0.target.label, $0) })
        let set = try #require(rows["r5"])
        #expect(set.latency.p95 == nil && set.rank == nil)
        // The p95 is unknown. An unknown p95 differs from a p95 beyond the timeout.
        let condition = try FailCondition(parsing: "p95 > 1s")
        #expect(condition.findings(in: report.rows) { _ in false }.isEmpty)
        #expect(abs(try #require(set.latency.median) - 20.5) < 2)
        let text = TextFormat(width: 100).render(report.document)
        let rounds = asked.count { $0.contains(5) }
        let words = "stopped after \(rounds) rounds: three others are faster or as fast"
        #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words))
        // Fewer resolvers leave time for more names.
        #expect(text.contains(/rounds of 5 to \d+ of 10 names/), "\(text)")
        let reason = "- r5: set aside early: three others are faster, or at most 5 ms slower."
        #expect(text.contains(reason))
        #expect(text.hasPrefix("Yes, r1 is "))
        let members = report.document.json().text()
        #expect(members.contains("\"queried_rounds\": \(rounds)"), "\(members)")
        #expect(members.contains("\"reason\": \"set-aside\""))
        #expect(members.contains("\"stopped_for\": \"outdone\""))
        // r6 is slower than the baseline itself.
        let slower = try #require(rows["r6"]?.departure)
        #expect(slower.reason == .slower && slower.words.hasSuffix(" rounds: clearly slower"))
        // Charts show r5 in pale colours, with the answers of its own rounds.
        let page = HTMLFormat().render(report.document)
        #expect(page.contains("Pale, of fewer rounds:") && page.contains(", \(words)</title>"))
        #expect(page.contains("<g opacity=\"0.45\"><title>r5: median "))
        let shares = report.document.sheet(.distribution)?.svg() ?? ""
        // Two elements are pale: the line of r5, and the leader line with the marker before its label.
        #expect(shares.ranges(of: "<g opacity=\"0.45\"><title>r5: ").count == 2)
    }

    @Test func `a timeline marks when a resolver was set aside`() throws {
        let (run, asked, _) = try measured()
        let moments = run.samples.map(\.moment)
        let (first, last) = (try #require(moments.min()), try #require(moments.max()))
        let window = first..<last.advanced(by: .seconds(1))
        let context = WindowContext(toolVersion: "1.0.0", window: window, clock: .utc)
        var log = RoundLog()
        log.add(run)
        var timeline = HistoryTimeline(context: context, rounds: log.rounds)
        timeline.add(run)
        let drawing = HistoryDrawing(.timeline, of: timeline)
        let label = "stopped after \(asked.count { $0.contains(6) }) of \(asked.count) rounds"
        let svg = drawing.svg()
        #expect(svg.contains("\(label): it could not be the best</title>"))
        let text = drawing.text(width: 100, height: 40, colour: false)
        #expect(text.contains("Pale, of fewer rounds:"))
    }

    @Test func `a report of a window marks a resolver that was set aside`() throws {
        let (run, asked, _) = try measured()
        var log = RoundLog()
        log.add(run)
        var tally = WindowTally(by: .resolver, clock: .utc, rounds: log.rounds)
        tally.add(run)
        let moments = run.samples.map(\.moment)
        let (first, last) = (try #require(moments.min()), try #require(moments.max()))
        let window = first..<last.advanced(by: .seconds(1))
        let context = WindowContext(toolVersion: "1.0.0", window: window, clock: .utc)
        let rows = WindowReport(of: tally, context: context).figures
        let words = Dictionary(rows.map { ($0.target.label, $0.remarks(nil)) }) { $1 }
        let rounds = "stopped after \(asked.count { $0.contains(6) }) of \(asked.count) rounds"
        #expect(words["r6"] == "\(rounds): it could not be the best")
        #expect(words["r1"] == "")
    }

    @Test func `a run that ended before a window does not affect the window`() throws {
        var fixture = try Fixture(rounds: 12, names: 1)
        for label in ["a", "b"] { fixture.add(label) { _ in .answer(20) } }
        fixture.space(by: .seconds(1))
        var before = fixture.recording
        before.samples.removeAll { $0.target == 1 && $0.round > 3 }
        let hour = Duration.seconds(3600)
        var since = fixture.recording
        since.runs[0].id = "r2"
        since.samples.removeAll { $0.round > 2 }
        for index in since.samples.indices {
            since.samples[index].scheduled = since.samples[index].scheduled.advanced(by: hour)
        }
        let start = try #require(since.samples.map(\.moment).min())
        var tally = WindowTally(
            by: .resolver,
            clock: .utc,
            rounds: [RoundMoment(vantage: "desk", started: start, marks: [], origin: .compare)],
            since: start
        )
        for recording in [before, since] { tally.add(recording) }
        let context = WindowContext(
            toolVersion: "1.0.0",
            window: start..<start.advanced(by: hour),
            clock: .utc
        )
        let rows = WindowReport(of: tally, context: context).figures
        #expect(rows.map(\.counts.sent) == [3, 3])
        #expect(rows.map { $0.remarks(nil) } == ["", ""])
    }

    @Test func `an interrupted run counts rounds with fewer resolvers too`() throws {
        var (run, asked, fixture) = try measured()
        fixture.context.isInterrupted = true
        #expect(ComparisonReport(of: run, context: fixture.context).rounds == asked.count)
        run.samples.removeLast()
        #expect(ComparisonReport(of: run, context: fixture.context).rounds == asked.count - 1)
    }

    @Test func `a round is complete if its resolvers got the same questions`() throws {
        var (run, asked, _) = try measured()
        let count = asked.count
        #expect(run.roundsInOrder.count { $0.round.isWhole } == count)
        run.samples.remove(at: try #require(run.samples.firstIndex { $0.round == 2 }))
        #expect(run.roundsInOrder.count { $0.round.isWhole } == count - 1)
        // In other runs, each round sends all questions to all resolvers. A round with fewer queries is
        // incomplete.
        run.runs[0].origin = .watch
        #expect(run.roundsInOrder.count { $0.round.isWhole } < count - 1)
    }
}
