import Analysis
import Catalogue
import DNSWire
import Fixtures
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

struct ChangesReportTests {
    private static let rounds = 0..<960

    /// Twenty days. One resolver becomes 8 ms slower on the tenth day, and another one loses more queries
    /// from the twelfth day on.
    private func recording() throws -> Recording {
        try HistoryFixture().recording(rounds: Self.rounds) { query in
            let base = [12.0, 20, 16][query.resolver]
            let cycle = 2 * sin(Double(query.hourOfDay) / 24 * 2 * .pi)
            let step = query.resolver == 0 && query.hour >= 230 ? 8.0 : 0
            if query.resolver == 2, query.hour >= 270, query.noise < 0.2 { return .none(.timeout) }
            return .answer(base + cycle + step + query.noise)
        }
    }

    private func hours(sums: Bool = false) throws -> HistoryHours {
        var hours = HistoryHours(clock: HistoryFixture.berlin)
        if sums {
            for sum in HistoryFixture.sums(of: try recording()) { hours.add(sum) }
        } else {
            hours.add(whole: try recording())
        }
        return hours
    }

    private func report(sums: Bool) throws -> ChangesReport {
        ChangesReport(
            of: try hours(sums: sums),
            context: HistoryFixture.context(rounds: Self.rounds)
        )
    }

    @Test(arguments: [OutputFormat.text, .csv, .json, .markdown])
    func `changes are written in every format`(format: OutputFormat) throws {
        let text = try report(sums: false).render(as: format, width: 100, colour: false)
        try Golden.expect(text, in: "changes.\(format.rawValue)")
    }

    @Test(arguments: [false, true])
    func `a change has its hour and size, and other resolvers are unchanged`(sums: Bool) throws {
        let report = try report(sums: sums)
        try #require(report.findings.count == 2)
        let slower = report.findings[0]
        #expect(slower.name == "meadow" && slower.change.kind == .slower)
        #expect(abs(slower.change.size - 8) < 0.3)
        let start = HistoryFixture.start.nanoseconds / 3_600_000_000_000
        #expect(slower.change.hour == Int(start) + 230)
        let lossy = report.findings[1]
        #expect(lossy.name == "brook" && lossy.change.kind == .lessReliable)
        #expect(abs(lossy.change.hour - Int(start) - 270) <= 6)
        #expect(report.changes.unchanged == ["harbour"])
        #expect(report.changes.unjudged == [])
    }

    @Test func `a known cause is reported without samples, only for its change`() throws {
        let hours = try hours()
        let context = HistoryFixture.context(rounds: Self.rounds)
        var report = ChangesReport(of: hours, context: context)
        let finding = try #require(report.findings.first)
        var known = CauseFinding(cause: .path)
        (known.share, known.total, known.units, known.won) = (1, 8, 12, 12)
        let cause = EstablishedCause(
            vantage: finding.subject.vantage,
            target: finding.target,
            kind: finding.change.kind,
            // The change had an earlier date when its cause was established.
            hour: finding.change.hour - 5,
            finding: known
        )
        var others = [cause, cause, cause]
        others[0].vantage = "elsewhere"
        others[1].kind = .faster
        others[2].hour -= LevelChange.sameHours
        report.changes.recall(others)
        #expect(report.findings.allSatisfy { $0.cause == nil })
        report.changes.recall(others + [cause])
        #expect(report.findings.first?.cause == known)
        #expect(
            report.findings[0].sentence(clock: HistoryFixture.berlin)
                .contains(
                    "Cause: the network path to it (8.0 of 8.0 ms, most of it in 12 of 12 hours)."
                )
        )
        // A known cause is not established again.
        #expect(report.changes.establishedCauses(besides: [cause]) == [])
    }

    @Test func `the path is reported with the newest change that it was traced for`() throws {
        let context = HistoryFixture.context(rounds: Self.rounds)
        var report = ChangesReport(of: try hours(), context: context)
        let finding = try #require(report.findings.first)
        func trace(_ site: String, _ kind: String = "slower", hours: Int = 0) -> KeptTrace {
            KeptTrace(
                vantage: finding.subject.vantage,
                run: "r",
                round: 1,
                target: finding.target,
                kind: kind,
                since: Timestamp(hoursSinceEpoch: finding.change.hour + hours),
                time: Timestamp(hoursSinceEpoch: finding.change.establishedHour + hours),
                path: PathTrace(end: .answered, site: site)
            )
        }
        var elsewhere = trace("a")
        elsewhere.vantage = "elsewhere"
        var another = trace("b")
        another.target.label = "another"
        let late = trace("d", hours: LevelChange.sameHours)
        report.changes.recall([elsewhere, another, trace("c", "unreachable"), late])
        #expect(report.findings.allSatisfy { $0.trace == nil })
        report.changes.recall([trace("e"), trace("f", hours: 2), trace("g", hours: 1), elsewhere])
        #expect(report.findings[0].trace?.path.site == "f")
        let sentence = report.findings[0].sentence(clock: HistoryFixture.berlin)
        #expect(sentence.hasSuffix(" Path: reached at hop 0, site f."), "\(sentence)")
    }

    @Test func `a change without samples has an unknown cause and no later search`() throws {
        let hours = try hours()
        var report = ChangesReport(of: hours, context: HistoryFixture.context(rounds: Self.rounds))
        report.changes.explain(with: [], known: []) { _ in
            CauseHours(clock: HistoryFixture.berlin)
        }
        let finding = try #require(report.findings.first)
        #expect(
            finding.sentence(clock: HistoryFixture.berlin)
                .hasSuffix(
                    " Cause: unknown (too few hours of it, or of a resolver in another network, have samples)."
                )
        )
        let established = report.changes.establishedCauses(besides: [])
        #expect(established.map(\.finding.cause) == [.unknown])
        // A cause is not established while more hours can still follow.
        let early = finding.change.hour + CauseHours.mostHoursAfter - 1
        var judged = Changes(judging: hours, until: Timestamp(hoursSinceEpoch: early))
        judged.explain(with: [], known: []) { _ in CauseHours(clock: HistoryFixture.berlin) }
        #expect(judged.findings.contains { $0.cause?.cause == .unknown })
        #expect(judged.establishedCauses(besides: []) == [])
    }

    @Test(arguments: [(age: 6, isTooYoung: true), (7, false)])
    func `the cause of a young change is not known yet`(age: Int, isTooYoung: Bool) throws {
        let report = ChangesReport(
            of: try hours(),
            context: HistoryFixture.context(rounds: Self.rounds)
        )
        let hour = try #require(report.findings.first).change.hour
        var judged = Changes(
            judging: try hours(),
            until: Timestamp(hoursSinceEpoch: hour + age)
        )
        judged.explain(with: [], known: []) { _ in CauseHours(clock: HistoryFixture.berlin) }
        let sentence = try #require(judged.findings.first { $0.change.hour == hour })
            .sentence(clock: HistoryFixture.berlin)
        let isFound = sentence.hasSuffix(
            " Cause: not known yet; `report --changes` names it after 6 hours."
        )
        #expect(isFound == isTooYoung, "\(sentence)")
    }

    @Test func `a silent resolver is not listed as unchanged`() throws {
        var hours = HistoryHours(clock: .utc)
        hours.add(
            whole: try HistoryFixture().recording(rounds: 0..<480) {
                $0.resolver == 0 ? .none(.timeout) : .answer(12 + $0.noise)
            }
        )
        let report = ChangesReport(
            of: hours,
            context: HistoryFixture.context(rounds: 0..<480, clock: .utc)
        )
        #expect(report.changes.unchanged == ["brook", "harbour"])
        #expect(report.changes.unjudged == ["meadow"])
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(text.contains("Too few hours with answers to judge (3 earlier days are needed): m"))
    }

    @Test func `a report without changes says so`() throws {
        var hours = HistoryHours(clock: .utc)
        hours.add(whole: try HistoryFixture().recording(rounds: 0..<480) { .answer(12 + $0.noise) })
        let report = ChangesReport(
            of: hours,
            context: HistoryFixture.context(rounds: 0..<480, clock: .utc)
        )
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(
            text.hasPrefix(
                "No incident was found.\n- No incident beyond 2 ms or 10 %:"
            )
        )
        #expect(report.changes.unchanged == ["brook", "harbour", "meadow"])
    }

    @Test(arguments: [
        (failure: Observation.none(.timeout), noun: "Packet loss"),
        (failure: .failure(.servFail), noun: "Failed queries"),
    ])
    func `a rise of losses alone is reported`(failure: Observation, noun: String) throws {
        var hours = HistoryHours(clock: .utc)
        hours.add(
            whole: try HistoryFixture().recording(rounds: 0..<1_440) { query in
                let share = query.resolver == 1 && query.round >= 720 ? 0.03 : 0.005
                return query.noise < share ? failure : .answer(12 + query.noise)
            }
        )
        let context = HistoryFixture.context(rounds: 720..<1_440, clock: .utc)
        let text = ChangesReport(of: hours, context: context)
            .render(as: .text, width: 200, colour: false)
        let told = try #require(
            text.firstMatch(of: #/- ([^:]*): .*harbour ([\d.]+) % \(before: ([\d.]+) %\)/#)
        )
        #expect(told.1 == noun)
        #expect(try #require(Double(told.2)) > 1.5 && #require(Double(told.3)) < 1.5)
    }

    @Test func `a recovery is reported with the earlier failures`() throws {
        var hours = HistoryHours(clock: HistoryFixture.berlin)
        hours.add(
            whole: try HistoryFixture().recording(rounds: Self.rounds) { query in
                let isFailing = query.resolver == 2 && query.hour < 270 && query.noise < 0.2
                return isFailing ? .failure(.servFail) : .answer(12 + query.noise)
            }
        )
        let context = HistoryFixture.context(rounds: Self.rounds)
        let findings = ChangesReport(of: hours, context: context).findings
        let finding = try #require(findings.first { $0.change.kind == .moreReliable })
        let sentence = finding.sentence(clock: HistoryFixture.berlin)
        #expect(sentence.hasPrefix("brook: failed queries 0."), "\(sentence)")
    }

    @Test func `alternating changes are one line`() throws {
        var hours = HistoryHours(clock: .utc)
        hours.add(
            whole: try HistoryFixture().recording(rounds: 0..<2_880) { query in
                let isFar = query.resolver == 0 && query.round / 240 % 2 == 1
                return .answer((isFar ? 36 : 11) + query.noise)
            }
        )
        let context = HistoryFixture.context(rounds: 0..<2_880, clock: .utc)
        let report = ChangesReport(of: hours, context: context)
        let text = report.render(as: .text, width: 200, colour: false)
        #expect(report.findings.count >= 4)
        #expect(text.contains(#/One incident: meadow, alternates between 11\.\d and 36\.\d ms\./#))
        #expect(!text.contains("- meadow: 25"))
    }

    @Test func `the sites of the levels are named`() throws {
        let recording = try HistoryFixture().recording(rounds: 0..<2_880) { query in
            let isFar = query.resolver == 0 && query.round / 240 % 2 == 1
            let isLate = query.resolver == 1 && query.round >= 2_000
            var observation = Observation.answer((isFar || isLate ? 36 : 11) + query.noise)
            let site = isFar || isLate ? "fra\u{1B}[31m" : "ams"
            observation.extras = Observation.Extras(site: site)
            return observation
        }
        let hours = HistoryHours(whole: recording, clock: .utc)
        let context = HistoryFixture.context(rounds: 0..<2_880, clock: .utc)
        var report = ChangesReport(of: hours, context: context)
        report.changes.name(recording.answeringSites)
        let text = report.render(as: .text, width: 300, colour: false)
        let far = "fra\\u{1B}[31m"
        #expect(text.contains("36.4 ms (sites ams and \(far))."))
        #expect(text.contains(" before, answered by site \(far) instead of ams"))
    }

    @Test func `too few days are not judged`() throws {
        var hours = HistoryHours(clock: .utc)
        hours.add(whole: try HistoryFixture().recording(rounds: 0..<96) { .answer(12 + $0.noise) })
        let context = HistoryFixture.context(rounds: 0..<96, clock: .utc)
        let report = ChangesReport(of: hours, context: context)
        #expect(report.changes.unchanged == [])
        #expect(report.changes.unjudged == ["brook", "harbour", "meadow"])
        let empty = ChangesReport(of: HistoryHours(clock: .utc), context: context)
        #expect(
            empty.render(as: .text, width: 80, colour: false).hasPrefix(
                "Nothing was measured from 2026-"
            )
                == true
        )
    }

    @Test func `samples replace sums of the same hours`() throws {
        let recording = try recording()
        var both = HistoryHours(clock: HistoryFixture.berlin)
        for sum in HistoryFixture.sums(of: recording) { both.add(sum) }
        both.add(whole: recording)
        let context = HistoryFixture.context(rounds: Self.rounds)
        let report = ChangesReport(of: both, context: context)
        #expect(
            report.findings.map(\.change) == (try self.report(sums: false)).findings.map(\.change)
        )
    }
}
