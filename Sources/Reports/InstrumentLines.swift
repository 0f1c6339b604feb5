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
            ("loopback", loopback), ("timers", timers), ("sending", sending), ("clock", clock),
            ("own rate", rate),
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

    private var timers: String? {
        each { $0.wakeLateness.last.map(Self.microseconds) }.map { "delay at most \($0)" }
    }

    private var sending: String {
        let late = quality.late == 0 ? "none" : "\(quality.late)"
        return "\(late) of \(quality.sent.of("query", "queries")) more than 5 ms late; at most "
            + Self.microseconds(quality.greatestLateness)
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

    /// Such as `X before the run, Y during it`; `nil` without either.
    private func each(_ words: (InstrumentCheck) -> String?) -> String? {
        let parts = [
            before.flatMap(words).map { "\($0) before the run" },
            during.flatMap(words).map { "\($0) during it" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func microseconds(_ nanoseconds: Int64) -> String {
        let microseconds = Double(nanoseconds) / 1e3
        return microseconds.magnitude < 1000
            ? microseconds.fixed(1) + " µs" : (microseconds / 1000).fixed(1) + " ms"
    }

    /// The same for programs.
    var json: JSONValue {
        [
            "before": Self.json(before),
            "during": Self.json(during),
            "late_sends": .integer(quality.late),
            "greatest_late_ms": .milliseconds(Double(quality.greatestLateness) * 1e-6),
            "most_per_second": .integer(quality.rate.most),
            "most_per_second_to_one": .integer(quality.rate.mostToOne),
        ]
    }

    private static func json(_ check: InstrumentCheck?) -> JSONValue {
        guard let check else { return .null }
        return [
            "queries": .integer(check.roundTrips.count),
            "median_ms": .milliseconds(Double(check.median) * 1e-6),
            "greatest_wake_late_ms": .milliseconds(
                check.wakeLateness.last.map { Double($0) * 1e-6 }
            ),
            "clock": .string(check.clock.description),
            "clock_step_ms": .milliseconds(check.clockStep.map { Double($0) * 1e-6 }),
        ]
    }
}

extension ComparisonReport {
    /// How much of each resolver's time is the way to its address, such as `of 23.1 ms, 21.0 ms are
    /// the way there`; none where no floors were looked for.
    var floorTerms: Document.Terms {
        let isWanted = context.wantedFloors || !context.floors.isEmpty
        let rows = isWanted ? rows(of: series.first ?? .cached) : []
        return (
            "Network round trip, the least of a few TCP handshakes",
            rows.filter { $0.counts.sent > 0 }.map { ($0.name, floorWords(of: $0)) }
        )
    }

    private func floorWords(of row: ResolverSummary) -> String {
        guard let floor = row.surroundings.floor else {
            return "unknown: no port accepts a connection"
        }
        let way = LatencyFormat.single(floor.roundTrip.milliseconds)
        let isUsual = row.target.isSimulated || row.target.endpoint.hasSuffix(":\(floor.port)")
        let port = isUsual ? "" : " (port \(floor.port))"
        guard let median = row.latency.median else {
            return "\(way)\(port); it left most queries unanswered"
        }
        let whole = LatencyFormat.single(median)
        guard floor.roundTrip.milliseconds > median else {
            return "\(way) of \(whole)\(port)"
        }
        return
            "\(way)\(port), more than the \(whole) of its answers: the network was slower then, or "
            + "a nearer machine answers"
    }
}
