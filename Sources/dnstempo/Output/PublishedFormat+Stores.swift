import Central
import Reports
import Samples
import Store

extension PublishedFormat {
    /// All formats, in the order of the reference.
    static let all = reports + [samples, hourlySums, stores, sql, metrics, notes, exitCodes]

    private static let samples = PublishedFormat(
        "samples",
        title: "Samples",
        """
        `--samples FILE`, `dnstempo export` and the view `samples` of a store have one row per query, in \
        the order of sending: CSV (RFC 4180, line feeds, an empty cell for an unknown value), or JSON \
        Lines with the same names and `null`. Columns may be added and are never changed. Cells in CSV \
        that a spreadsheet would take for a formula begin with `'`.
        """,
        [
            Part(object: sampleForm, table: sampleForm)
        ]
            + SampleWords.all.map { words in
                let rows = words.meanings.map { ("`\($0.word)`", $0.meaning) }
                return Part("`\(words.column)`", table(("word", "meaning"), rows))
            }
    )

    private static let stores = PublishedFormat(
        "store",
        title: "Content and check of a store",
        """
        `dnstempo store info --format json` and `dnstempo store check --format json` write one JSON \
        object.
        """,
        [
            Part("`store info` of a file", object: StoreCommand.Info.shape.form),
            Part(
                "`store info` of a central store",
                object: ObjectForm("central", [CentralHistory.Place.places.declaration])
            ),
            Part("`store check`", object: StoreCommand.Check.shape.form),
        ]
    )

    private static let sql = PublishedFormat(
        "sql",
        title: "Views for SQL",
        """
        A store is an SQLite file with the views `samples`, `rounds` and `hours`. A central store has the \
        same views in the schema `dnstempo` of PostgreSQL. Columns may be added and are never changed; \
        the tables behind the views may change. [The guide](../guide/sql.md) shows how to open a store.
        """,
        [
            Part("samples", "One row per query.", table: StoreViews.samples),
            Part("rounds", "One row per round.", table: StoreViews.rounds),
            Part(
                "hours",
                "One row per hour, resolver, type of record, timeout and origin.",
                table: StoreViews.hours
            ),
            Part(
                "Central stores",
                """
                Times have the type `timestamptz`, to the microsecond. Each view begins with the column \
                `source`; `hours` has quantiles too. A role of a place sees the rows of that place.
                """,
                table: ObjectForm("central", [StoreViews.source] + StoreViews.quantiles)
            ),
        ]
    )
}
