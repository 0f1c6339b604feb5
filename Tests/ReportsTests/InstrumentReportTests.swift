import DNSWire
import Reports
import Samples
import Testing

struct InstrumentReportTests {
    /// A run of one resolver, with a query every `milliseconds`, and with the given checks before and during
    /// the run.
    private func fixture(
        before: InstrumentCheck?,
        during: InstrumentCheck?,
        every milliseconds: Int64 = 200
    ) throws -> Fixture {
        var fixture = try Fixture(rounds: 40)
        fixture.context.instrument = before
        fixture.context.instrumentDuring = during
        fixture.context.plan.pace = .polite
        fixture.add("meadow") { number in
            var observation = Observation.answer(10)
            if number == 3 { observation.lateness = 6_200_000 }
            if number == 4 { observation.clock = .kernelReceive }
            return observation
        }
        for index in fixture.samples.indices {
            fixture.samples[index].scheduled = fixture.context.started.advanced(
                by: .milliseconds(milliseconds * Int64(index))
            )
        }
        return fixture
    }

    private func check(
        _ median: Int64 = 31_900,
        late: Int64 = 71_100,
        count: Int = 10,
        step: Int64? = nil
    ) throws -> InstrumentCheck {
        try #require(
            InstrumentCheck(
                roundTrips: Array(repeating: median, count: count),
                clocks: [.kernel: count],
                wakeLateness: Array(repeating: late, count: count),
                clockStep: step
            )
        )
    }

    private func block(_ fixture: Fixture, width: Int = 100) -> [String] {
        let lines = TextFormat(width: width, isVerbose: true).render(fixture.report)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let from = lines.drop { $0 != "The instrument:" }
        return Array(from.prefix { !$0.isEmpty })
    }

    @Test func `a verbose report shows the state of the instrument`() throws {
        var during = try check(40_000, late: 310_000, count: 25)
        during.use = ProcessorUse(busy: 0.42, stolen: 0.01)
        let fixture = try fixture(before: check(), during: during)
        #expect(
            block(fixture) == [
                "The instrument:",
                "  loopback  round trip to itself 31.9 µs before the run, 40.0 µs during it (median of "
                    + "10 and 25)",
                "  timers    delay at most 71.1 µs before the run, 310.0 µs during it",
                "  sending   1 of 400 queries more than 5 ms late; at most 6.2 ms; 99.8 % within 1 ms of "
                    + "their plan,",
                "            100.0 % within 10 ms",
                "  clock     399 of 400 round trips stamped by the kernel, 1 on receipt only; system "
                    + "clock not set",
                "  own rate  at most 6 queries per second, to one resolver 6; allowed on average: 15 and "
                    + "5",
                "  cores     42.0 % of the processor time in use during the run, by dnstempo too; 1.0 % "
                    + "taken by the",
                "            host of a virtual machine",
            ]
        )
        #expect(!TextFormat().render(fixture.report).contains("The instrument"))
    }

    @Test func `with enough readings the errors have a 99th percentile`() throws {
        let errors = (1...100).map { Int64($0) * 100 }
        let known = try #require(
            InstrumentCheck(
                roundTrips: errors,
                errors: errors,
                clocks: [.kernel: 100],
                wakeLateness: [1]
            )
        )
        let few = try #require(
            InstrumentCheck(roundTrips: [1], errors: [700], clocks: [.kernel: 1], wakeLateness: [1])
        )
        let text = block(try fixture(before: known, during: few), width: 200).joined()
            .split(separator: " ").joined(separator: " ")
        #expect(
            text.contains("median 5.0 µs, p99 9.9 µs before the run, median 0.7 µs during it"),
            "\(text)"
        )
    }

    @Test func `the machine is reported if it was examined`() throws {
        var fixture = try fixture(before: nil, during: nil)
        fixture.context.machine = .sound
        let text = block(fixture, width: 200).joined().split(separator: " ").joined(separator: " ")
        #expect(
            text.contains(
                "machine Linux 6.1.0 on x86_64; 4 cores, load 0.50; clock source tsc, in steps of 1 "
                    + "ns; not virtual"
            ),
            "\(text)"
        )
        #expect(JSONFormat().render(fixture.report).contains("\"clock_source\": \"tsc\""))
    }

    @Test func `a stored run has only the figures of its samples`() throws {
        let text = JSONFormat().render(try fixture(before: nil, during: nil).report)
        for member in [
            "\"before\": null", "\"machine\": null", "\"sent_within_1ms\": 399",
            "\"sent_within_10ms\": 400", "\"kernel\": 399", "\"kernel-rx\": 1",
        ] {
            #expect(text.contains(member), "\(member)")
        }
    }

    @Test func `a report without loopback checks has the other figures`() throws {
        let lines = block(try fixture(before: nil, during: nil))
        #expect(lines.count { $0.dropFirst(2).first != " " && $0.hasPrefix("  ") } == 3)
        #expect(!lines.contains { $0.contains("loopback") || $0.contains("timers") })
    }

    @Test func `a clock that was set is reported with its step`() throws {
        let lines = block(try fixture(before: check(step: 3_000_000), during: nil), width: 120)
        let words = lines.joined().split(separator: " ").joined(separator: " ")
        #expect(words.contains(" set by 3.0 ms"))
    }

    @Test(arguments: [
        (median: 1_000_000, late: 1_000_000, codes: []),
        (median: 1_000_001, late: 0, codes: ["slow-instrument"]),
        (median: 0, late: 1_000_001, codes: ["timer-delay"]),
    ])
    func `faults before or during the run are notes`(
        median: Int64,
        late: Int64,
        codes: [String]
    ) throws {
        let known: Set = ["slow-instrument", "timer-delay", "bursts"]
        for isBefore in [true, false] {
            let bad = try check(median, late: late)
            let good = try check()
            let fixture = try fixture(before: isBefore ? bad : good, during: isBefore ? good : bad)
            #expect(fixture.report.warnings.map(\.code).filter(known.contains) == codes)
        }
    }

    @Test func `a few readings during a run give no note`() throws {
        let fixture = try fixture(before: check(), during: check(9_000_000, count: 4))
        #expect(!fixture.report.warnings.map(\.code).contains("slow-instrument"))
    }

    @Test(arguments: [(every: 92 as Int64, isTold: false), (every: 90, isTold: true)])
    func `a rate above twice the pace is reported`(every: Int64, isTold: Bool) throws {
        let fixture = try fixture(before: nil, during: nil, every: every)
        #expect(fixture.report.warnings.contains { $0.code == "bursts" } == isTold)
        let text = TextFormat(width: 200).render(fixture.report)
        #expect(text.contains("one resolver got 12 queries in a second instead of 5") == isTold)
    }

    @Test func `JSON has the figures too`() throws {
        let fixture = try fixture(before: check(), during: nil)
        let text = JSONFormat().render(fixture.report)
        for member in [
            "\"median_ms\": 0.0319", "\"greatest_wake_late_ms\": 0.0711", "\"during\": null",
            "\"late_sends\": 1", "\"greatest_late_ms\": 6.200", "\"most_per_second_to_one\": 6",
        ] {
            #expect(text.contains(member), "\(member)")
        }
    }
}
