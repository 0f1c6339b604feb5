import Analysis
import Catalogue
import DNSWire
import Samples
import Statistics

/// The state of the instrument before and during the run, in words.
struct InstrumentLines: Sendable {
    private let report: ComparisonReport

    private var before: InstrumentCheck? { report.context.instrument }
    private var during: InstrumentCheck? { report.context.instrumentDuring }
    private var quality: RunDiagnostics { report.quality }

    init(of report: ComparisonReport) { self.report = report }

    /// The state of each checked item; empty if no query was sent.
    var parts: [(name: String, text: String)] {
        guard quality.sent > 0 else { return [] }
        let all = [
            ("loopback", loopback), ("error", error), ("timers", timers), ("sending", sending),
            ("clock", clock), ("own rate", rate), ("cores", cores),
            ("machine", report.context.machine?.sentence),
        ]
        return all.compactMap { name, text in text.map { (name, $0) } }
    }

    private var loopback: String? {
        let counts = [before, during].compactMap { $0?.roundTrips.count }
        let list = counts.map(String.init).joined(separator: " and ")
        return each { Self.microseconds($0.median) }.map {
            "round trip to itself \($0) (median of \(list))"
        }
    }

    /// The median error. The 99th percentile is added if there are enough readings.
    private var error: String? {
        each { check in
            InstrumentCheck.median(check.errors).map { median in
                let p99 = InstrumentCheck.p99(check.errors).map { ", p99 \(Self.microseconds($0))" }
                return "median \(Self.microseconds(median))\(p99 ?? "")"
            }
        }.map { "of a round trip, the way over loopback included: \($0)" }
    }

    private var timers: String? {
        each { $0.wakeLateness.last.map(Self.microseconds) }.map { "delay at most \($0)" }
    }

    private var sending: String {
        let late = quality.late == 0 ? "none" : "\(quality.late)"
        let kept = [quality.within1ms, quality.within10ms].map {
            Share(part: $0, whole: quality.sent).description
        }
        return "\(late) of \(quality.sent.of("query", "queries")) more than 5 ms late; at most "
            + "\(Self.microseconds(quality.greatestLateness)); \(kept[0]) within 1 ms of their plan, "
            + "\(kept[1]) within 10 ms"
    }

    private var clock: String? {
        let all = quality.timed.values.reduce(0, +)
        guard all > 0 else { return nil }
        let sources: [(ClockSource?, String)] = [
            (.kernelReceive, "on receipt only"), (.user, "by the program"),
            (nil, "by an unknown clock"),
        ]
        let parts =
            [
                "\(quality.timed[.kernel] ?? 0) of \(all.of("round trip", "round trips")) stamped by the kernel"
            ]
            + sources.compactMap { source, words in quality.timed[source].map { "\($0) \(words)" } }
        let step =
            report.context.clockStep?.nanoseconds ?? during?.clockStep ?? before?.clockStep
        let steps = report.quality.clockSteps
        let set =
            step.map { "set by \(Self.microseconds($0))" }
            ?? (steps > 0 ? "set during \(steps.of("query", "queries"))" : "not set")
        return parts.joined(separator: ", ") + "; system clock \(set)"
    }

    private var rate: String {
        let allowed = report.context.plan.pace.map { pace in
            "; allowed on average: \(pace.totalRate.fixed(least: 0, most: 1)) and "
                + pace.rate.fixed(least: 0, most: 1)
        }
        return "at most \(quality.rate.most.of("query", "queries")) per second, to one resolver "
            + "\(quality.rate.mostToOne)\(allowed ?? "")"
    }

    /// The use of the processor during the run. The check before the run is too short to measure
    /// it.
    private var cores: String? {
        during?.use.map { use in
            "\(Self.percent(use.busy)) of the processor time in use during the run, by dnstempo too; "
                + "\(Self.percent(use.stolen)) taken by the host of a virtual machine"
        }
    }

    /// A text such as `X before the run, Y during it`; `nil` without either check.
    private func each(_ words: (InstrumentCheck) -> String?) -> String? {
        let parts = [
            before.flatMap(words).map { "\($0) before the run" },
            during.flatMap(words).map { "\($0) during it" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    static func microseconds(_ nanoseconds: Int64) -> String {
        let microseconds = Double(nanoseconds) / 1e3
        return microseconds.magnitude < 1000
            ? microseconds.fixed(1) + " µs" : (microseconds / 1000).fixed(1) + " ms"
    }

    static func percent(_ share: Double) -> String { (share * 100).fixed(1) + " %" }

    /// The state of the instrument for programs.
    static let shape = Shape<InstrumentLines>(
        "instrument",
        [
            .object("before", check, null: "it was not checked", "Check before the run.") {
                $0.before
            },
            .object("during", check, null: "it was not checked", "Check during the run.") {
                $0.during
            },
            .count("late_sends", "Queries sent more than 5 ms after their scheduled time.") {
                $0.quality.late
            },
            time("greatest_late_ms", "Greatest delay of a query against its scheduled time.") {
                $0.quality.greatestLateness
            },
            .count("most_per_second", "Most queries in a second.") { $0.quality.rate.most },
            .count("most_per_second_to_one", "Most queries in a second to one resolver.") {
                $0.quality.rate.mostToOne
            },
            .count("sent", "Queries sent.") { $0.quality.sent },
            .count("sent_within_1ms", "Queries sent within 1 ms of their scheduled time.") {
                $0.quality.within1ms
            },
            .count("sent_within_10ms", "Queries sent within 10 ms of their scheduled time.") {
                $0.quality.within10ms
            },
            Field(
                "clocks",
                .map(.count),
                "Round trips by clock: `kernel`, `kernel-rx`, `user`, or `unknown` in old files."
            ) { lines in
                let clocks = lines.quality.timed.map {
                    ($0.key?.description ?? "unknown", $0.value)
                }
                return .counts(clocks.sorted { $0.0 < $1.0 })
            },
            .count("clock_steps", "Queries during which the system clock was set.") {
                $0.quality.clockSteps
            },
            .object("machine", Machine.shape, null: "it was not examined", "This machine.") {
                $0.report.context.machine
            },
        ]
    )

    /// A check of the instrument on loopback.
    static let check = Shape<InstrumentCheck>(
        "check",
        [
            .count("queries", "Queries to the program itself over loopback.") {
                $0.roundTrips.count
            },
            time("median_ms", "Median round trip.") { $0.median },
            time("greatest_wake_late_ms", null: "unknown", "Greatest delay of a timer.") {
                $0.wakeLateness.last
            },
            .word("clock", "Clock that stamped the round trips.") { $0.clock },
            time("clock_step_ms", null: "it was not set", "Step by which the system clock was set.")
            {
                $0.clockStep
            },
            time("error_median_ms", null: "unknown", "Median error of a round trip.") {
                InstrumentCheck.median($0.errors)
            },
            time(
                "error_p99_ms",
                null: "there are fewer than 100 queries",
                "0.99-quantile of the error."
            ) { InstrumentCheck.p99($0.errors) },
            Field("clocks", .map(.count), "Round trips by clock.") { check in
                .counts(
                    ClockSource.allCases.compactMap { clock in
                        check.clocks[clock].map { (clock.description, $0) }
                    }
                )
            },
            time("wake_late_median_ms", null: "unknown", "Median delay of a timer.") {
                InstrumentCheck.median($0.wakeLateness)
            },
            time(
                "wake_late_p99_ms",
                null: "there are fewer than 100 readings",
                "0.99-quantile of the delay of a timer."
            ) { InstrumentCheck.p99($0.wakeLateness) },
            .count("planned", "Queries with a scheduled time.") { $0.sendLateness.count },
            .count("sent_within_1ms", "Queries sent within 1 ms of their scheduled time.") {
                $0.sent(within: 1_000_000)
            },
            .count("sent_within_10ms", "Queries sent within 10 ms of their scheduled time.") {
                $0.sent(within: 10_000_000)
            },
            time("greatest_late_ms", null: "unknown", "Greatest delay of a query.") {
                $0.sendLateness.last
            },
            share("cores_busy", "Share of the processor time in use, by dnstempo too.") {
                $0.use?.busy
            },
            share("cores_stolen", "Share of the processor time that the host took.") {
                $0.use?.stolen
            },
        ]
    )

    /// A field of `nanoseconds`, written in milliseconds.
    private static func time<Row>(
        _ key: String,
        null: String? = nil,
        _ meaning: String,
        _ nanoseconds: @escaping @Sendable (Row) -> Int64?
    ) -> Field<Row> {
        .time(key, null: null, meaning) { nanoseconds($0).map { Double($0) * 1e-6 } }
    }

    private static func share<Row>(
        _ key: String,
        _ meaning: String,
        _ share: @escaping @Sendable (Row) -> Double?
    ) -> Field<Row> {
        .number(key, .share, digits: 1...4, null: "it was not measured", meaning, share)
    }
}
