import Analysis
import DNSWire
package import Samples

/// A dated report on the instrument: whether measurements on this machine can be trusted.
package struct InstrumentReport: Report {
    private let readings: InstrumentReadings
    private let made: Timestamp
    private let vantage: String
    private let toolVersion: String
    private let trust: InstrumentTrust

    package init(
        _ readings: InstrumentReadings,
        made: Timestamp,
        vantage: String,
        toolVersion: String
    ) {
        self.readings = readings
        self.made = made
        self.vantage = vantage
        self.toolVersion = toolVersion
        trust = InstrumentTrust(
            of: readings.machine,
            idle: readings.idle,
            loaded: readings.loaded
        )
    }

    package var isTrusted: Bool { trust.faults.isEmpty }

    /// The answer on one line.
    package var headline: String {
        let names = trust.faults.map(\.name).uniqued
        guard !names.isEmpty else { return "This machine can be trusted to measure." }
        return "Do not trust this machine to measure: \(names.joined(separator: ", "))."
    }

    package var document: Document {
        let machine = "Machine: \(readings.machine.sentence)."
        var section = Document.Section(
            headline,
            details: trust.faults.map(\.sentence) + [hint, machine].compactMap(\.self),
            tables: [table]
        )
        section.scope =
            "Load: \(readings.threads.of("busy thread", "busy threads")) of dnstempo itself, beside "
            + "\((readings.loaded?.roundTrips.count ?? 0).of("query", "queries"))."
        let provenance =
            "\(made.description.prefix(19))Z, from \(vantage), dnstempo \(toolVersion)."
        var document = Document([section], provenance: provenance, json: { json })
        document.closing = [provenance]
        return document
    }

    /// A risk that a measurement on this machine cannot detect; `nil` if the machine is not virtual
    /// or not trusted.
    private var hint: String? {
        guard isTrusted, readings.machine.isVirtual == true else { return nil }
        return "Virtual machine: its host may pause it at any time; repeat this beside a long run."
    }

    private typealias Row = (name: String, value: @Sendable (InstrumentCheck) -> String)

    private static let rows: [Row] = [
        ("queries to itself", { "\($0.roundTrips.count)" }),
        ("round trip, median", { InstrumentLines.microseconds($0.median) }),
        ("error of it, median", { time(InstrumentCheck.median($0.errors)) }),
        ("error of it, p99", { time(InstrumentCheck.p99($0.errors)) }),
        ("both stamps by the kernel", { stamped($0, .kernel) }),
        ("receipt alone by the kernel", { stamped($0, .kernelReceive) }),
        ("by the program's clock", { stamped($0, .user) }),
        ("timer delay, median", { time(InstrumentCheck.median($0.wakeLateness)) }),
        ("timer delay, p99", { time(InstrumentCheck.p99($0.wakeLateness)) }),
        ("sent within 1 ms of the plan", { sent($0, within: 1_000_000) }),
        ("sent within 10 ms of the plan", { sent($0, within: 10_000_000) }),
        ("latest query", { time($0.sendLateness.last) }),
        ("processor time in use", { $0.use.map { InstrumentLines.percent($0.busy) } ?? "–" }),
        ("taken by the host", { $0.use.map { InstrumentLines.percent($0.stolen) } ?? "–" }),
        ("system clock set by", { $0.clockStep.map(InstrumentLines.microseconds) ?? "not set" }),
    ]

    private var table: Table {
        func cells(_ check: InstrumentCheck?) -> [String] {
            Self.rows.map { row in check.map(row.value) ?? "–" }
        }
        var table = Table([
            .init("figure", Self.rows.map(\.name), .heading),
            .init("idle", cells(readings.idle), .figures),
            .init("under load", cells(readings.loaded), .figures),
        ])
        table.isSortable = false
        return table
    }

    private static func time(_ nanoseconds: Int64?) -> String {
        nanoseconds.map(InstrumentLines.microseconds) ?? "–"
    }

    private static func stamped(_ check: InstrumentCheck, _ clock: ClockSource) -> String {
        Share(part: check.clocks[clock] ?? 0, whole: check.roundTrips.count).description
    }

    private static func sent(_ check: InstrumentCheck, within limit: Int64) -> String {
        Share(part: check.sent(within: limit), whole: check.sendLateness.count).description
    }

    package static let shape = Shape<InstrumentReport>(
        "instrument-report",
        DocumentHead.fields("dnstempo.instrument/1") { $0.toolVersion } + [
            .text("vantage", "Name of the vantage point.") { $0.vantage },
            .moment("made", "Time of the report.") { $0.made },
            .flag("trusted", "Whether this machine can be trusted to measure.") { $0.isTrusted },
            .list("reasons", InstrumentTrust.Fault.shape, "Reasons not to trust it.") {
                $0.trust.faults
            },
            .object("machine", Machine.shape, "This machine.") { $0.readings.machine },
            .object("idle", InstrumentLines.check, "Check without load.") { $0.readings.idle },
            .object(
                "loaded",
                InstrumentLines.check,
                null: "no query returned",
                "Check under load."
            ) { $0.readings.loaded },
            .count("load_threads", "Busy threads of the load.") { $0.readings.threads },
        ]
    )

    private var json: JSONValue { Self.shape.members(of: self) }
}

extension InstrumentTrust.Fault {
    fileprivate static let shape = Shape<InstrumentTrust.Fault>(
        "reason",
        [
            .text("code", "Code of the reason.") { $0.code },
            .text("text", "The reason for a reader.") { $0.sentence },
        ]
    )
}
