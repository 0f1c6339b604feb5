import Analysis
import Catalogue
import Samples
import Statistics

extension ComparisonReport {
    /// The queries on a loaded line for programs.
    static let loadField = Field<ComparisonReport>.object(
        "under_load",
        LoadFacts.shape,
        when: "queries were sent on a loaded line",
        "What a busy line adds to the time of a query."
    ) { LoadFacts(of: $0) }
}

/// The evidence on a loaded line, with the names of the resolvers.
private struct LoadFacts: Sendable {
    let evidence: LoadEvidence
    let load: LoadSummary?
    let mark: DSCP?
    let rows: [LoadRow]

    init?(of report: ComparisonReport) {
        guard let evidence = report.load else { return nil }
        self.evidence = evidence
        (load, mark) = (report.context.load, report.context.mark)
        rows = evidence.rows.map { LoadRow(row: $0, report: report) }
    }

    static let shape = Shape<LoadFacts>(
        "under_load",
        [
            .count("rounds", "Rounds whose blocks are all complete.") { $0.evidence.rounds },
            .count(
                "dscp",
                null: "no queries were marked, or it is unknown",
                "DSCP of marked queries."
            ) {
                $0.mark.map { Int($0.value) }
            },
            .object("load", summary, null: "it is unknown", "The load.") { $0.load },
            .list("rows", LoadRow.shape, "One entry per resolver and transport.") { $0.rows },
        ]
    )

    private static let summary = Shape<LoadSummary>(
        "load",
        [
            .texts("servers", "Servers of the load, as given.") { $0.places },
            .count("limit_bytes", "Most bytes that the load might transfer.") { Int($0.limit) },
            .count("bytes", "Transferred bytes, with an estimate for headers.") { Int($0.bytes) },
            .count("streams", "Parallel streams in each direction.") { $0.streams },
            rate("download_bps", "Download during the queries, in bits per second.") {
                $0.download
            },
            rate("upload_bps", "Upload during the queries, in bits per second.") { $0.upload },
            .time("idle_rtt_ms", null: noPort, "Median network round trip on the idle line.") {
                $0.idleRoundTrip
            },
            .time("loaded_rtt_ms", null: noPort, "The same on the loaded line.") {
                $0.loadedRoundTrip
            },
            .count("undrained_blocks", "Blocks before which the queue did not drain within 10 s.") {
                $0.undrained
            },
            .flag("limit_reached", "Whether the limit of bytes ended the run.") {
                $0.isLimitReached
            },
            .text("failure", null: "it did not fail", "Failure of the load that ended the run.") {
                $0.failure
            },
        ]
    )

    private static let noPort = "no resolver accepts a TCP connection"

    private static func rate(
        _ key: String,
        _ meaning: String,
        _ value: @escaping @Sendable (LoadSummary) -> Double?
    ) -> Field<LoadSummary> {
        .number(key, digits: 0...0, null: "there was no load in this direction", meaning, value)
    }
}

private struct LoadRow: Sendable {
    let target: Recording.Target
    let row: LoadEvidence.Row
    /// The median of each state, in milliseconds; `nil` beyond the timeout.
    let idle: Double?
    let loaded: Double?
    let marked: Double?

    init(row: LoadEvidence.Row, report: ComparisonReport) {
        func median(_ target: Int) -> Double? { report.row(ofTarget: target)?.latency.median }
        self.row = row
        target = report.recording.targets[row.idle]
        (idle, loaded, marked) = (median(row.idle), median(row.loaded), row.marked.flatMap(median))
    }

    private static let beyond = "it is beyond the timeout"
    private static let unmarked = "no queries were marked"

    static let shape = Shape<LoadRow>(
        "loaded_resolver",
        [
            .text("resolver", "Label of the resolver.") { $0.target.label },
            .text("endpoint", "Address and port.") { $0.target.endpoint },
            .text("transport", "Transport.") { $0.target.transport.description },
            .time("idle_median_ms", null: beyond, "Median on the idle line.") { $0.idle },
            .time("loaded_median_ms", null: beyond, "Median on the loaded line.") { $0.loaded },
            .time(
                "marked_median_ms",
                null: "\(beyond), or \(unmarked)",
                "Median of marked queries."
            ) {
                $0.marked
            },
            .object("added", delay, "Loaded minus idle.") { $0.row.added },
            .object("added_to_marked", delay, null: unmarked, "Marked minus idle.") {
                $0.row.addedToMarked
            },
            .object("saved", delay, null: unmarked, "Loaded minus marked.") { $0.row.saved },
        ]
    )

    private static let delay = Shape<AddedDelay>(
        "added_delay",
        [
            .count("rounds", "Rounds with a pair.") { $0.rounds },
            .count("pairs", "Pairs of queries for one name in one round.") { $0.pairs },
            .time("median_ms", null: "it is infinite", "Median of the rounds' median differences.")
            {
                $0.median
            },
        ]
            + Field.interval(
                "median_ci",
                suffix: "_ms",
                unit: .milliseconds,
                "Interval of `median_ms` at `confidence`."
            ) { delay in
                (.milliseconds(delay.interval.lower), .milliseconds(delay.interval.upper))
            } + [
                .number("confidence", .share, digits: 2...9, "Confidence level of the interval.") {
                    $0.confidence
                },
                .word("verdict", "Whether the difference is above or below zero.") { $0.verdict },
            ]
    )
}
