import Samples
import Store

/// Views for other programs. They have the columns of the views of a store file, after a place's number.
/// Times are PostgreSQL timestamps. A view has the rights of the role that reads it (PostgreSQL 15, CREATE
/// VIEW, security_invoker).
enum CentralViews {
    static func steps(_ tables: CentralTables) -> [CentralStep] {
        let views = [
            ("current", current), ("shown_vantage", shownVantage), ("samples", samples),
            ("rounds", rounds), ("hours", hours),
        ]
        return [
            CentralTables.table("word", words), tables.grant("word"),
            CentralStep(
                "TABLE dnstempo.word",
                at: CentralTables.number(of: "word"),
                in: "pg_class",
                ["DELETE FROM dnstempo.word", "INSERT INTO dnstempo.word VALUES \(Store.words)"]
            ),
        ] + CentralFunctions.steps
            + views.flatMap { name, query in
                [
                    CentralStep(
                        "VIEW dnstempo.\(name)",
                        at: CentralTables.number(of: name),
                        in: "pg_class",
                        [
                            "CREATE OR REPLACE VIEW dnstempo.\(name) "
                                + "WITH (security_invoker = true) AS \(query)"
                        ]
                    ), tables.grant(name),
                ]
            }
    }

    /// The latest version of each round.
    private static let current = """
        SELECT * FROM dnstempo.round WHERE NOT EXISTS (
            SELECT FROM dnstempo.round AS later
            WHERE later.source = round.source AND later.id = round.id AND later.extended > 0
                AND later.extended > round.extended
        )
        """

    /// The names of vantage points as all readers show them. The place's number is added to names that are,
    /// or may be, another place's.
    private static let shownVantage = """
        SELECT vantage.source, vantage.id, CASE
            WHEN vantage.name = source.vantage THEN vantage.name
            WHEN strpos(vantage.name, ' (place ') > 0
                OR min(source.vantage) OVER same < max(source.vantage) OVER same
                OR EXISTS (SELECT FROM dnstempo.source AS other WHERE other.vantage = vantage.name)
            THEN vantage.name || ' (place ' || source.id || ')'
            ELSE vantage.name
        END AS name
        FROM dnstempo.vantage JOIN dnstempo.source ON source.id = vantage.source
        WINDOW same AS (PARTITION BY vantage.name)
        """

    private static let words = [
        "kind text NOT NULL", "number bigint NOT NULL", "word text NOT NULL",
        "PRIMARY KEY (kind, number)",
    ]

    /// The expressions in which PostgreSQL differs from SQLite.
    private static let columns: ViewColumns = {
        var columns = ViewColumns()
        columns.place = "sample.source, "
        columns.schema = "dnstempo."
        columns.ofPlace = "source = sample.source AND "
        columns.real = "::float8"
        columns.interval = "\"interval\""
        columns.numberPrefix = ""
        columns.wordsOfBits = ("string_agg(word, ' ' ORDER BY number)", " <> 0")
        columns.usualCode = "CASE outcome WHEN \(Outcome.answered.rawValue) THEN 'NOERROR' END"
        // Keeps microseconds, and accepts a number of any size.
        columns.time = {
            "timestamptz 'epoch' + div(\($0), 1000)::float8 * interval '1 microsecond'"
        }
        return columns
    }()

    private static var samples: String {
        let (own, details) = Store.packedColumns
        let unpacked =
            own.enumerated().map { "unpacked.sample[\($0 + 1)] AS \"\($1)\"" }
            + details.enumerated().map { "unpacked.detail[\($0 + 1)] AS \"\($1)\"" }
        let cause = columns.text("cause")
        let causes = """
            ,
                split_part(\(cause), ' ', 1) AS cause,
                nullif(substr(\(cause), strpos(\(cause) || ' ', ' ') + 1), '') AS cause_value
            """
        return """
            SELECT \(columns.samples(more: causes + ViewColumns.packets))
            FROM (
                SELECT unpacked.*, coalesce(base, start)::numeric + scheduled AS due,
                    \(ViewColumns.ofState())
                FROM (
                    SELECT round.source, run AS run_id, start, base, marks,
                        number AS round_number, \(unpacked.joined(separator: ", "))
                    FROM dnstempo.current AS round, dnstempo.unpack(data) AS unpacked
                ) AS unpacked
            ) AS sample
                JOIN dnstempo.run ON run.source = sample.source AND run.id = run_id
                \(join("vantage", in: "shown_vantage"))
                JOIN dnstempo.probe ON probe.source = sample.source AND probe.id = probe
                \(join("question")) \(join("target")) \(join("endpoint"))
            """
    }

    private static let rounds = """
        SELECT \(columns.rounds)
        FROM dnstempo.current AS sample \(join("run")) \(join("vantage", in: "shown_vantage"))
        """

    private static let hours = """
        SELECT \(columns.hours(hour: hour, more: more, mean: mean))
        FROM (
            SELECT *, CASE
                WHEN least(\(counts)) >= 0 AND greatest(\(counts)) <= \(StoreLimits.mostCounted)
                THEN \(ViewColumns.lost) + coalesce(wrong, 0)
            END AS lost FROM (
                SELECT *, \(failed) AS failed FROM dnstempo.rollup
            ) AS counted
        ) AS sample
            JOIN dnstempo.rollup_key ON rollup_key.source = sample.source AND rollup_key.id = key
            \(join("vantage", in: "shown_vantage")) \(join("target")) \(join("endpoint"))
        """

    private static let more = quantiles + ViewColumns.wrong + ViewColumns.availability

    private static let counts = "answered, timeouts, unreachable, malformed, coalesce(wrong, 0)"

    private static let quantiles = """
        , dnstempo.quantile(sketch, 0.5, lost) AS median_ms,
            dnstempo.quantile(sketch, 0.95, lost) AS p95_ms
        """

    /// The mean; NULL if the sum cannot be divided.
    private static func mean(_ usual: String) -> String {
        "CASE WHEN sum = 0 OR abs(sum) BETWEEN 1e-100 AND 1e100 THEN \(usual) END"
    }

    /// The sum of the counts of response codes; NULL if the text is not a list of codes and counts.
    private static let failed = """
        CASE WHEN failures IS NULL THEN 0 WHEN \(CentralConstraints.failures) THEN (
            SELECT sum(value::bigint)::bigint
            FROM regexp_split_to_table(failures, ' ') WITH ORDINALITY AS part (value, place)
            WHERE place % 2 = 0
        ) END
        """

    /// The time of an hour; NULL for an hour outside the range of timestamps.
    private static let hour = """
        CASE WHEN hour BETWEEN \(StoreLimits.hours.lowerBound) AND \(StoreLimits.hours.upperBound)
        THEN timestamptz 'epoch' + hour * interval '1 hour' END
        """

    /// Joins the row to which the column with a table's name refers, in the table or in a `view` of it.
    private static func join(_ table: String, in view: String? = nil) -> String {
        "JOIN dnstempo.\(view ?? table) AS \(table) "
            + "ON \(table).source = sample.source AND \(table).id = \(table)"
    }
}
