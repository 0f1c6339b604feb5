import DNSWire
import Reports
import Samples
import Testing

struct SuspicionTests {
    /// One resolver with 400 queries.
    private func steady(_ outcome: (Int) -> Observation = { _ in .answer(10) }) throws -> Fixture {
        var fixture = try Fixture(rounds: 40)
        fixture.add("meadow", outcome: outcome)
        return fixture
    }

    private func detailed(_ extras: Observation.Extras) -> Observation {
        var observation = Observation.answer(10)
        observation.extras = extras
        return observation
    }

    @Test(arguments: [1, 2])
    func `rounds without any answer are noted, not counted as losses`(rounds: Int) throws {
        var fixture = try Fixture(rounds: 40)
        for index in 1...3 {
            fixture.add("r\(index)", endpoint: "127.0.\(index).1:53") { number in
                number < 10 * rounds ? .none(.timeout) : .answer(10)
            }
        }
        let report = fixture.report
        let told = report.warnings.filter { $0.code == "outage-rounds" }
        #expect(told.are(["outage-rounds": "In \(rounds) of 40 rounds no resolver answered. "]))
        #expect(told.allSatisfy { $0.text.contains("outages are excluded.") }, "\(told)")
        #expect(report.rows.map(\.counts.failed) == [0, 0, 0])
    }

    @Test func `a clock that was set during a query is noted`() throws {
        let set = detailed(Observation.Extras(flags: .clockStep))
        let fixture = try steady { $0 == 7 ? set : .answer(10) }
        #expect(
            fixture.report.warnings.are([
                "clock-step": "The system clock was set during the run, during 1 query. "
            ])
        )
    }

    @Test func `a clock that was set between queries is noted`() throws {
        var fixture = try steady { _ in .answer(10) }
        fixture.context.clockStep = .seconds(3_600)
        let text = "The system clock was set during the run, between queries. "
        #expect(fixture.report.warnings.are(["clock-step": text]))
    }

    @Test(arguments: [
        (
            names: 1,
            text:
                "No resolver knows name2.example (NXDOMAIN). Times of unknown names may differ from "
                + "those of other names. Check its spelling."
        ),
        (
            names: 5,
            text:
                "No resolver knows name2.example, name3.example, name4.example and 2 more (NXDOMAIN). "
                + "Times of unknown names may differ from those of other names. Check their spelling."
        ),
    ])
    func `unknown names are noted, the first few by name`(names: Int, text: String) throws {
        var unknown = Observation.answer(10)
        unknown.responseCode = .nxDomain
        var fixture = try Fixture(rounds: 40, names: names + 1)
        for label in ["meadow", "brook"] {
            // The first query for an unknown name may time out. A name that one resolver knows is not
            // reported.
            fixture.add(label) { number in
                guard number % (names + 1) > 0 else {
                    return label == "brook" ? unknown : .answer(10)
                }
                return number == 1 ? .none(.timeout) : unknown
            }
        }
        fixture.add("meadow", series: .uncached) { _ in unknown }
        let told = fixture.report.warnings.filter { $0.code == "unknown-names" }
        #expect(told.map(\.text) == [text])
        #expect(told.allSatisfy { $0.hasRemedy })
    }

    @Test func `a resolver that changes the letter case of names is noted`() throws {
        let changed = detailed(Observation.Extras(flags: .caseChanged))
        let fixture = try steady { $0 < 3 ? changed : .answer(10) }
        let text = "meadow changed the letter case of the name in 3 responses. "
        #expect(fixture.report.warnings.are(["case-changed": text]))
        #expect(fixture.report.rows.map(\.counts.failed) == [0])
    }

    @Test func `bytes after the last record are noted`() throws {
        let trailing = detailed(Observation.Extras(flags: .trailingBytes))
        let fixture = try steady { $0 < 3 ? trailing : .answer(10) }
        let text = "meadow sent bytes after the last record in 3 responses. "
        #expect(fixture.report.warnings.are(["trailing-bytes": text]))
        #expect(fixture.report.rows.map(\.counts.lost) == [0])
    }

    @Test func `refused early data is noted`() throws {
        let refused = detailed(Observation.Extras(flags: .earlyRefused))
        let fixture = try steady { $0 < 3 ? refused : .answer(10) }
        let text = "meadow refused early data in 3 queries. "
        #expect(fixture.report.warnings.are(["early-refused": text]))
        #expect(fixture.report.rows.map(\.counts.lost) == [0])
    }

    @Test func `a change of site is noted`() throws {
        let sites = ["ams1", "fra2"].map { detailed(Observation.Extras(site: $0)) }
        let moved = try steady { sites[$0 < 200 ? 0 : 1] }
        let text = "meadow was reached at 2 sites. "
        #expect(moved.report.warnings.are(["site-changed": text]))
        #expect(try steady { _ in sites[0] }.report.warnings.isEmpty)
    }

    @Test(arguments: [(misses: 20, isCold: false), (misses: 21, isCold: true)])
    func `over 5 % cache misses mean a cold cache`(misses: Int, isCold: Bool) throws {
        let fixture = try steady { number in
            var observation = Observation.answer(number < misses ? 40 : 10)
            observation.cache = number < misses ? .miss : .hit
            return observation
        }
        let text = "\(misses) of 400 answers for names that should be cached were cache misses. "
        #expect(fixture.report.warnings.are(isCold ? ["cold-cache": text] : [:]))
    }

    @Test func `a new TTL of a fast answer is not a cache miss`() throws {
        let fixture = try steady { number in
            var observation = Observation.answer(number % 7 == 0 ? 12 : 10)
            observation.cache = number % 2 == 0 ? .miss : .hit
            return observation
        }
        #expect(fixture.report.warnings.isEmpty)
    }

    @Test func `lasting silence is reported as a rate limit`() throws {
        let limited = try steady { $0 < 300 || $0 % 3 == 0 ? .answer(10) : .none(.timeout) }
        let text = { (answered: Int) in
            "meadow answered \(answered) queries, and at least half of the later ones were "
        }
        #expect(limited.report.warnings.are(["rate-limited": text(301)]))
        // Failures do not count as answered queries.
        for failures in [80, 81] {
            let failing = try steady { number in
                number < failures
                    ? .failure(.servFail) : number < 100 ? .answer(10) : .failure(.refused)
            }
            let told = failing.report.warnings.filter { $0.code == "rate-limited" }
            #expect(told.are(failures == 80 ? ["rate-limited": text(20)] : [:]))
        }
        let lossy = try steady { $0 % 10 == 3 ? .none(.timeout) : .answer(10) }
        #expect(lossy.report.warnings.isEmpty)
    }

    @Test(arguments: ["refused", "lost", "truncated or lost"])
    func `failures at short intervals are reported as a rate limit`(fate: String) throws {
        var fixture = try Fixture(rounds: 10)
        var failures = 0
        fixture.add("meadow") { number in
            var answered = Observation.answer(10)
            guard number >= 5, number % 4 != 0 else { return answered }
            failures += 1
            switch fate {
            case "refused": return .failure(.refused)
            case "lost": return .none(.timeout)
            default:
                answered.extras = .init(udp: 1_000_000)
                return failures % 2 == 0 ? .none(.timeout) : answered
            }
        }
        fixture.space(by: .milliseconds(50))
        let told = fixture.report.warnings.filter { $0.code == "rate-limited" }
        #expect(
            told.map(\.text) == [
                "meadow answered queries that followed a pause, and quick successions were \(fate): it "
                    + "seems to limit the rate to about 5 queries per second. Its failures may be due "
                    + "to this measurement. Lower the rate with dnstempo compare --rate."
            ]
        )
        #expect(JSONFormat().render(fixture.report).contains("\"rate_limit\""))
    }

    @Test func `silence, success and large answers are not a rate limit`() throws {
        let fates: [(Int) -> Observation] = [
            { _ in .none(.timeout) }, { _ in .failure(.refused) }, { _ in .answer(10) },
            { number in
                var answer = Observation.answer(10)
                if number % 10 < 3 { answer.extras = .init(udp: 1_000_000) }
                return answer
            },
        ]
        for fate in fates {
            var fixture = try Fixture(rounds: 10)
            fixture.add("meadow", outcome: fate)
            fixture.space(by: .milliseconds(50))
            #expect(fixture.report.warnings.allSatisfy { $0.code != "rate-limited" })
        }
    }

    @Test func `a run after other runs on the same day is noted`() throws {
        var fixture = try steady()
        fixture.context.earlierToday = 0
        #expect(fixture.report.warnings.isEmpty)
        fixture.context.earlierToday = 2
        #expect(
            fixture.report.warnings.are([
                "several-runs": "This comparison was already run 2 times today. "
            ])
        )
    }

    @Test func `a changed network is noted`() throws {
        var fixture = try steady()
        fixture.context.networkChanges = 2
        let text = "This machine's network changed 2 times during the run. "
        #expect(fixture.report.warnings.are(["network-changed": text]))
    }

    /// Two resolvers whose first answers expire `apart` seconds from each other. A third of the largest TTL
    /// remains in these answers. Later answers have the full TTL.
    private func caches(
        apart: Int,
        of other: String = "brook",
        over transport: Recording.Transport = "udp"
    ) throws -> Fixture {
        var fixture = try Fixture(rounds: 40)
        for (index, label) in ["meadow", other].enumerated() {
            fixture.add(
                label,
                endpoint: "127.0.0.\(index + 1):53",
                transport: index == 0 ? "udp" : transport
            ) { number in
                var observation = Observation.answer(10 + 2 * Double(index))
                observation.ttl = number < 10 ? UInt32(100 + (1 - index) * apart) : 300
                observation.sent = Timestamp(nanoseconds: 1_795_233_312_000_000_000)
                return observation
            }
        }
        return fixture
    }

    @Test func `answers that expire together are reported as a shared cache`() throws {
        let text = "meadow and brook seem to share one cache. "
        func told(apart: Int) throws -> [Warning] {
            try caches(apart: apart).report.warnings.filter { $0.code == "shared-cache" }
        }
        #expect(try told(apart: 1).are(["shared-cache": text]))
        #expect(try told(apart: 2).isEmpty)
    }

    @Test func `two transports of one resolver are not reported as a shared cache`() throws {
        let warnings = try caches(apart: 1, of: "meadow", over: "tls").report.warnings
        #expect(!warnings.map(\.code).contains("shared-cache"))
    }

    @Test(arguments: [(apart: 1, fallback: "harbour"), (apart: 2, fallback: "brook")])
    func `a resolver with the same cache is not the fallback`(apart: Int, fallback: String) throws {
        var fixture = try caches(apart: apart)
        fixture.context.baseline = "harbour"
        fixture.add("harbour", endpoint: "127.0.0.3:53") { _ in .answer(30) }
        let text = TextFormat(width: 100).render(fixture.report)
        #expect(text.contains("To use meadow as primary and \(fallback) as fallback"), "\(text)")
    }

    @Test func `correlated rounds are noted`() throws {
        var fixture = try Fixture(rounds: 40)
        fixture.context.baseline = "harbour"
        fixture.add("harbour") { _ in .answer(20) }
        // Meadow is faster than harbour in the first twenty rounds, and slower in the next twenty.
        fixture.add("meadow") { $0 < 200 ? .answer(10) : .answer(30) }
        let codes = fixture.report.warnings.map(\.code)
        #expect(codes.contains("autocorrelation"))
    }
}
