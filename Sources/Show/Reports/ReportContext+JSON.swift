import Catalogue
import Samples

extension ReportContext.Plan {
    static let shape = Shape<ReportContext.Plan>(
        "plan",
        [
            .count("rounds", "Rounds, or the most rounds of a run until each verdict is known.") {
                $0.rounds
            },
            .number("interval_s", .seconds, digits: 0...6, null: "unknown", "Time between rounds.")
            {
                $0.interval.map { $0.milliseconds / 1000 }
            },
            .number("timeout_s", .seconds, digits: 0...6, "Timeout of a query.") {
                $0.timeout.milliseconds / 1000
            },
            Field("seed", .count, null: "unknown", "Seed of the random order.") {
                $0.seed.map(JSONValue.unsigned) ?? .null
            },
            .texts("names", "Names that were asked; `*.` and a zone for uncached names.") {
                $0.names + $0.zones
            },
            .texts("types", "Types of records that were asked.") { $0.types },
            Field("series", .list(.word(Series.self)), "Series of the run.") {
                .array($0.series.map { .string($0.description) })
            },
            .word("sampling", when: "it is known", "Times of sending.") { $0.sampling },
        ]
    )
}
