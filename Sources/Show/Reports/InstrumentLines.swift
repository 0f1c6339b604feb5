import Analysis
import Catalogue
import DNSWire
import Samples
import Statistics

/// Words of the instrument on itself: how it was before the run, and all through it.
struct InstrumentLines {
    private let report: ComparisonReport

    private var before: InstrumentCheck? { report.context.instrument }
    private var during: InstrumentCheck? { report.context.instrumentDuring }
    private var quality: RunDiagnostics { report.quality }

    init(of report: ComparisonReport) { self.report = report }

    /// Each thing that was looked at, and how it was; none where nothing was sent.
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

    /// The 99th percentile only where there are readings enough for it.
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
            (.kernelReceive, "on receipt alone"), (.user, "by the program"),
            (nil, "not told by which clock"),
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

    /// Before the run it was looked at for too short a time.
    private var cores: String? {
        during?.use.map { use in
            "\(Self.percent(use.busy)) of the processor time in use during the run, by dnstempo too; "
                + "\(Self.percent(use.stolen)) taken by the host of a virtual machine"
        }
    }

    /// Such as `X before the run, Y during it`; `nil` without either.
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

    /// The same for programs.
    var json: JSONValue {
        let clocks = quality.timed.map { ($0.key?.description ?? "unknown", $0.value) }
        return [
            "before": before.map(Self.json) ?? .null,
            "during": during.map(Self.json) ?? .null,
            "late_sends": .integer(quality.late),
            "greatest_late_ms": .nanoseconds(quality.greatestLateness),
            "most_per_second": .integer(quality.rate.most),
            "most_per_second_to_one": .integer(quality.rate.mostToOne),
            "sent": .integer(quality.sent),
            "sent_within_1ms": .integer(quality.within1ms),
            "sent_within_10ms": .integer(quality.within10ms),
            "clocks": .counts(clocks.sorted { $0.0 < $1.0 }),
            "clock_steps": .integer(quality.clockSteps),
            "machine": report.context.machine?.json ?? .null,
        ]
    }

    private static func share(_ share: Double?) -> JSONValue {
        share.map { .number($0, least: 1, most: 4) } ?? .null
    }

    static func json(_ check: InstrumentCheck) -> JSONValue {
        let clocks = ClockSource.allCases.compactMap { clock in
            check.clocks[clock].map { (clock.description, $0) }
        }
        return [
            "queries": .integer(check.roundTrips.count),
            "median_ms": .nanoseconds(check.median),
            "greatest_wake_late_ms": .nanoseconds(check.wakeLateness.last),
            "clock": .string(check.clock.description),
            "clock_step_ms": .nanoseconds(check.clockStep),
            "error_median_ms": .nanoseconds(InstrumentCheck.median(check.errors)),
            "error_p99_ms": .nanoseconds(InstrumentCheck.p99(check.errors)),
            "clocks": .counts(clocks),
            "wake_late_median_ms": .nanoseconds(InstrumentCheck.median(check.wakeLateness)),
            "wake_late_p99_ms": .nanoseconds(InstrumentCheck.p99(check.wakeLateness)),
            "planned": .integer(check.sendLateness.count),
            "sent_within_1ms": .integer(check.sent(within: 1_000_000)),
            "sent_within_10ms": .integer(check.sent(within: 10_000_000)),
            "greatest_late_ms": .nanoseconds(check.sendLateness.last),
            "cores_busy": share(check.use?.busy),
            "cores_stolen": share(check.use?.stolen),
        ]
    }
}

extension JSONValue {
    fileprivate static func nanoseconds(_ value: Int64?) -> JSONValue {
        .milliseconds(value.map { Double($0) * 1e-6 })
    }
}
