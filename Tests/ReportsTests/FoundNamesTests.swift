import Analysis
import Charts
import DNSWire
import Samples
import Statistics
import Testing

@testable import Reports

/// The results of asking each name of a list once, and their reports.
struct FoundNamesTests {
    /// A list of names. Two resolvers are asked for each name once, in rounds of ten names. Three more rounds
    /// repeat thirty names.
    private struct List {
        var recording = Recording()

        init(names: Int, vantage: String = "home") throws {
            recording.runs = [
                Run(id: "r", vantage: vantage, timeout: .seconds(5), origin: .compare)
            ]
            recording.targets = ["current", "other"].map {
                Recording.Target(
                    label: $0,
                    endpoint: "192.0.2.\($0.count):53",
                    transport: "udp",
                    series: .asFound
                )
            }
            recording.questions = try (0..<names).map {
                Question(name: try DomainName("n\($0).example"), type: .a)
            }
            for number in 1...(names / 10 + 3) {
                recording.rounds.append(
                    Round(number: Int32(number), marks: number > names / 10 ? .again : [])
                )
            }
        }

        /// Adds an answer after `time` milliseconds, or a timeout. The query was sent `at` seconds after the
        /// start.
        mutating func add(_ name: Int, of target: Int, after time: Double?, ttl: UInt32, at: Double)
        {
            let round = Int32(name / 10)
            add(name, round, target, time, ttl, at)
        }

        mutating func addAgain(_ name: Int, of target: Int, after time: Double, at: Double) {
            let round = Int32(recording.rounds.count - 3 + name % 3)
            add(name, round, target, time, 100, at)
        }

        private mutating func add(
            _ name: Int,
            _ round: Int32,
            _ target: Int,
            _ time: Double?,
            _ ttl: UInt32,
            _ second: Double
        ) {
            let sent = Timestamp(nanoseconds: Int64(second * 1e9) + 1_700_000_000_000_000_000)
            var observation = Observation(outcome: time == nil ? .timeout : .answered)
            observation.sent = sent
            observation.roundTrip = time.map { Int64($0 * 1e6) }
            observation.ttl = time == nil ? nil : ttl
            recording.samples.append(
                Sample(
                    round: round,
                    target: Int32(target),
                    question: Int32(name),
                    scheduled: sent,
                    observation: observation
                )
            )
        }
    }

    /// Half of the names are cache hits at the current resolver, and nine of ten at the other resolver.
    private func list(names: Int = 200) throws -> Recording {
        var list = try List(names: names)
        for name in 0..<names {
            let at = Double(name)
            let isHit = [name % 2 == 0, name % 10 != 0]
            for target in 0..<2 {
                let jitter = Double((7 * name + target) % 5) / 10
                list.add(
                    name,
                    of: target,
                    after: (isHit[target] ? 12 : 90) + jitter,
                    ttl: isHit[target] ? UInt32(30 + (13 * name + 7 * target) % 200) : 300,
                    at: at + Double(target) / 10
                )
            }
        }
        for name in 0..<30 {
            for target in 0..<2 {
                list.addAgain(name, of: target, after: 12 + Double(name % 5) / 10, at: 900)
            }
        }
        return list.recording
    }

    private func report(_ recording: Recording, baseline: String? = "current") -> ComparisonReport {
        ComparisonReport(
            ofRecorded: RecordingTally(of: recording),
            against: WindowBaseline(baseline ?? "", rules: ComparisonRules()),
            toolVersion: "1.0.0"
        )
    }

    @Test func `hits and misses are distinguished, repeated queries ignored`() throws {
        let found = try RecordingTally(of: list()).foundNames()
        let (current, other) = (try #require(found[0]), try #require(found[1]))
        // A counted-down TTL of whole minutes is ambiguous if no resolver showed a longer TTL.
        #expect(current.share.misses == 100 && current.share.count == 200)
        #expect(other.share.misses == 20 && other.share.count == 200)
        #expect(current.share.bounds.contains(0.5) && other.share.bounds.contains(0.9))
        #expect((12..<13).contains(try #require(current.hit)))
        #expect((90..<91).contains(try #require(current.miss)))
        #expect((51..<52).contains(try #require(current.mean)))
        #expect(current.oneCache.isEmpty && other.oneCache.isEmpty)
        let report = report(try list())
        #expect(report.rows.map(\.counts.answered) == [200, 200])
    }

    @Test(arguments: [(200, 200), (40, 40), (39, nil)] as [(Int, Int?)])
    func `nonexistent names are unclassified, many are reported`(count: Int, told: Int?) throws {
        var recording = try list()
        for index in recording.samples.indices where recording.samples[index].question < count {
            recording.samples[index].observation.responseCode = .nxDomain
            recording.samples[index].observation.ttl = nil
        }
        for index in recording.samples.indices where recording.samples[index].question >= count {
            recording.samples[index].observation.responseCode = .noError
        }
        let found = RecordingTally(of: recording).foundNames()
        for target in 0..<2 {
            let share = try #require(found[target]?.share)
            #expect(share.count == 200 && share.unknown >= count)
            #expect(share.hits + share.misses <= 200 - count)
        }
        let report = report(recording)
        let texts = report.warnings.filter { $0.code == "unknown-names" }.map(\.text)
        let beginning = told.map { "\($0) of 200 names do not exist (NXDOMAIN), and whether" }
        #expect(texts.count == (told == nil ? 0 : 1))
        #expect(texts.allSatisfy { $0.hasPrefix(beginning ?? "") })
        #expect(report.warnings.allSatisfy { $0.hasRemedy })
    }

    /// All TTLs of the first resolver are 0. The TTLs of the other resolver never count down.
    @Test func `unusable TTLs leave the share of cache hits unknown`() throws {
        var list = try List(names: 200)
        for name in 0..<200 {
            let jitter = Double(name * 7 % 5) / 10
            list.add(name, of: 0, after: 50 + jitter, ttl: 0, at: Double(name))
            list.add(name, of: 1, after: 12 - jitter, ttl: 300, at: Double(name))
        }
        for name in 0..<30 {
            list.addAgain(name, of: 0, after: 50, at: 900)
            list.addAgain(name, of: 1, after: 12, at: 900)
        }
        let found = RecordingTally(of: list.recording).foundNames()
        #expect((0..<2).allSatisfy { found[$0]?.share == HitShare(unknown: 200) })
        let report = report(list.recording)
        let details = try #require(report.findings.first?.finding.details)
        #expect(details.contains("In its cache: other unknown, current unknown."))
        #expect(report.render(as: .text).contains("unknown"))
        #expect(found[0]?.share.interval() == 0...1)
    }

    @Test func `the answer states the mean and the shares of cache hits`() throws {
        let report = report(try list())
        let finding = try #require(report.findings.first?.finding)
        #expect(finding.headline == "Yes, other is 31.2 ms faster than current.")
        #expect(finding.details.first == "other: mean 20.0 vs 51.2 ms for current.")
        #expect(
            finding.details.contains { $0.hasPrefix("Mean of paired differences: 31.2 ms faster") }
        )
        #expect(
            finding.details.contains { $0.hasPrefix("In its cache: other 90 % of the names (") }
        )
        #expect(finding.scope.hasPrefix("200 names, each once, "))
        #expect(report.rows.map(\.name) == ["other", "current"])
        #expect(report.evidence[0].ranking == nil)
        #expect(
            report.warnings.contains { $0.text.hasSuffix(" Use dnstempo compare --names 368.") }
        )
        #expect(report.charts(of: .asFound).map(\.kind) == [.bars, .distribution])
    }

    @Test func `too few rounds for the mean are named with their number`() throws {
        let report = report(try list(names: 100))
        #expect(
            report.findings.first?.finding.headline
                == "No verdict yet: 10 rounds of at least 20."
        )
    }

    @Test func `the verdict on the mean can differ from the median`() throws {
        // Cache hits are 6 ms faster. Three of ten names are cache misses, which take 150 ms.
        var list = try List(names: 400)
        for name in 0..<400 {
            let isMiss = name % 10 < 3
            list.add(name, of: 0, after: 20, ttl: 77, at: Double(name))
            list.add(
                name,
                of: 1,
                after: isMiss ? 150 : 14,
                ttl: isMiss ? 300 : 77,
                at: Double(name)
            )
        }
        for name in 0..<30 {
            list.addAgain(name, of: 0, after: 20, at: 900)
            list.addAgain(name, of: 1, after: 14, at: 900)
        }
        let report = report(list.recording)
        let comparison = report.evidence[0].candidates[0].comparison
        #expect(comparison.medianDifference == 6 && comparison.verdict == .keep)
        #expect(
            report.findings[0].finding.headline == "Stay with current: other is 34.8 ms slower."
        )
    }

    @Test func `a resolver that returns another's new entry shares its cache`() throws {
        var list = try List(names: 200)
        for name in 0..<200 {
            let at = Double(name) * 3
            list.add(name, of: 0, after: 90, ttl: 300, at: at)
            list.add(name, of: 1, after: 12, ttl: 298, at: at + 2)
        }
        for name in 0..<30 {
            for target in 0..<2 { list.addAgain(name, of: target, after: 12, at: 900) }
        }
        let found = RecordingTally(of: list.recording).foundNames()
        #expect(found[0]?.oneCache == [1] && found[1]?.oneCache == [0])
        #expect(found[0]?.share.count == 200 && found[1]?.share.count == 0)
        let report = report(list.recording)
        let comparison = report.evidence[0].candidates[0].comparison
        #expect(comparison.verdict == .undecided && comparison.reason == .sharedCache)
        #expect(
            report.findings[0].finding.headline == "No verdict: other and current are one cache."
        )
        #expect(report.warnings.contains { $0.code == "shared-cache" })
    }

    @Test func `hours of a history give no verdict on names asked once`() throws {
        var builder = EvidenceBuilder(
            targets: try list().targets,
            baseline: "current",
            rules: ComparisonRules(unit: .hour)
        )
        builder.add(hours: [[:], [:]])
        #expect(builder.evidence(ending: .budgetSpent)[0].baseline == nil)
    }
}
