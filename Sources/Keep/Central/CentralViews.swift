import Samples
import Store

/// Views for other programs, with the columns that those of a store file have and a place's number
/// before them; times are PostgreSQL's. A view is as its reader's rights are (PostgreSQL 15, CREATE
/// VIEW, security_invoker).
enum CentralViews {
    static func steps(_ tables: CentralTables) throws -> [CentralStep] {
        let views = [
            ("current", current), ("shown_vantage", shownVantage), ("samples", try samples),
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

    /// Each round as it came last.
    private static let current = """
        SELECT * FROM dnstempo.round WHERE NOT EXISTS (
            SELECT FROM dnstempo.round AS later
            WHERE later.source = round.source AND later.id = round.id AND later.extended > 0
                AND later.extended > round.extended
        )
        """

    /// The names of vantage points as all readers show them: with the place's number where they are, or may
    /// be, another place's.
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

    private static var samples: String {
        get throws {
            let (own, details) = try Store.packedColumns()
            let columns =
                own.enumerated().map { "unpacked.sample[\($0 + 1)] AS \"\($1)\"" }
                + details.enumerated().map { "unpacked.detail[\($0 + 1)] AS \"\($1)\"" }
            return """
                SELECT sample.source, run.name AS run, round_number AS round,
                    \(wideTime("due")) AS scheduled, \(wideTime("due + sent")) AS sent,
                    vantage.name AS vantage, label AS resolver, address AS endpoint, transport,
                    \(word("series", "series")) AS series,
                    question.name AS name, \(word("type", "type", else: "TYPE")) AS type,
                    \(word("outcome", "outcome")) AS outcome,
                    CASE code
                        WHEN 0 THEN CASE outcome WHEN \(Outcome.answered.rawValue) THEN 'NOERROR' END
                        WHEN 1 THEN NULL
                        ELSE \(word("code", "code - 2", else: "RCODE"))
                    END AS rcode,
                    \(milliseconds("round_trip")) AS rtt_ms,
                    \(milliseconds("connect")) AS connect_ms,
                    \(milliseconds("handshake")) AS handshake_ms, \(milliseconds("udp")) AS udp_ms,
                    ttl, answers, size AS bytes,
                    \(milliseconds("coalesce(sent, 0)::float8 + coalesce(skew, 0)")) AS late_ms,
                    \(word("clock", "nullif(clock, 3)")) AS clock,
                    \(milliseconds("timeout")) AS timeout_ms,
                    \(word("cache", "nullif(cache, 0) - 1")) AS cache,
                    \(text("site")) AS site, \(text("extended_errors")) AS ede,
                    \(word("connection", "nullif(connection & 7, \(Observation.Extras.noUse))")) AS connection,
                    \(text("words")) AS detail, \(words("flag", "connection >> 3")) AS flags,
                    \(words("mark", "marks")) AS round_marks, \(word("origin", "origin")) AS origin,
                    \(milliseconds("network_rtt")) AS network_rtt_ms,
                    \(milliseconds("edge")) AS edge_ms, hits AS warmup_hits,
                    misses AS warmup_misses, \(milliseconds("miss_time")) AS warmup_miss_ms,
                    split_part(\(text("cause")), ' ', 1) AS cause,
                    nullif(substr(\(text("cause")), strpos(\(text("cause")) || ' ', ' ') + 1), '')
                        AS cause_value
                FROM (
                    SELECT unpacked.*, coalesce(base, start)::numeric + scheduled AS due,
                        \(Observation.outcomeInState) AS outcome, (state >> 3) & 3 AS clock,
                        (state >> 5) & 3 AS cache, \(Observation.codeInState) AS code
                    FROM (
                        SELECT round.source, run AS run_id, start, base, marks,
                            number AS round_number, \(columns.joined(separator: ", "))
                        FROM dnstempo.current AS round, dnstempo.unpack(data) AS unpacked
                    ) AS unpacked
                ) AS sample
                    JOIN dnstempo.run ON run.source = sample.source AND run.id = run_id
                    \(join("vantage", in: "shown_vantage"))
                    JOIN dnstempo.probe ON probe.source = sample.source AND probe.id = probe
                    \(join("question")) \(join("target")) \(join("endpoint"))
                """
        }
    }

    private static let rounds = """
        SELECT sample.source, run.name AS run, number AS round, vantage.name AS vantage,
            \(word("origin", "origin")) AS origin, \(time("started")) AS run_started,
            \(time("start")) AS start, \(time("stop")) AS stop, samples, pruned,
            \(words("mark", "marks")) AS round_marks, \(milliseconds("\"interval\"")) AS interval_ms,
            \(milliseconds("timeout")) AS timeout_ms, \(milliseconds("margin")) AS margin_ms,
            schedule, baseline
        FROM dnstempo.current AS sample \(join("run")) \(join("vantage", in: "shown_vantage"))
        """

    private static let hours = """
        SELECT sample.source, \(hour) AS hour, vantage.name AS vantage,
            \(word("type", "type", else: "TYPE")) AS type, \(milliseconds("timeout")) AS timeout_ms,
            label AS resolver, address AS endpoint, transport,
            \(word("series", "series")) AS series, \(word("origin", "origin")) AS origin,
            answered, timeouts, unreachable, malformed, failed, failures, filtered, offline,
            blocked, minimum AS min_ms,
            CASE WHEN sum = 0 OR abs(sum) BETWEEN 1e-100 AND 1e100 THEN
                (sum + lost * \(milliseconds("timeout"))) / nullif(answered + lost, 0)
            END AS mean_ms,
            maximum AS max_ms, dnstempo.quantile(sketch, 0.5, lost) AS median_ms,
            dnstempo.quantile(sketch, 0.95, lost) AS p95_ms, coalesce(wrong, 0) AS wrong
        FROM (
            SELECT *, CASE
                WHEN least(\(counts)) >= 0 AND greatest(\(counts)) <= \(StoreLimits.mostCounted)
                THEN timeouts + unreachable + malformed + failed + coalesce(wrong, 0)
            END AS lost FROM (
                SELECT *, \(failed) AS failed FROM dnstempo.rollup
            ) AS counted
        ) AS sample
            JOIN dnstempo.rollup_key ON rollup_key.source = sample.source AND rollup_key.id = key
            \(join("vantage", in: "shown_vantage")) \(join("target")) \(join("endpoint"))
        """

    private static let counts = "answered, timeouts, unreachable, malformed, coalesce(wrong, 0)"

    /// The sum of the counts of response codes; NULL where the text is not such a list.
    private static let failed = """
        CASE WHEN failures IS NULL THEN 0 WHEN \(CentralConstraints.failures) THEN (
            SELECT sum(value::bigint)::bigint
            FROM regexp_split_to_table(failures, ' ') WITH ORDINALITY AS part (value, place)
            WHERE place % 2 = 0
        ) END
        """

    /// NULL for an hour that no moment has.
    private static let hour = """
        CASE WHEN hour BETWEEN \(StoreLimits.hours.lowerBound) AND \(StoreLimits.hours.upperBound)
        THEN timestamptz 'epoch' + hour * interval '1 hour' END
        """

    /// The row that a column of a table's name refers to, of that table or of a `view` of it.
    private static func join(_ table: String, in view: String? = nil) -> String {
        "JOIN dnstempo.\(view ?? table) AS \(table) "
            + "ON \(table).source = sample.source AND \(table).id = \(table)"
    }

    /// A moment from nanoseconds since 1970, to the microsecond.
    private static func time(_ nanoseconds: String) -> String {
        "timestamptz 'epoch' + (\(nanoseconds)) / 1000 * interval '1 microsecond'"
    }

    /// The same of a number of any size.
    private static func wideTime(_ nanoseconds: String) -> String {
        "timestamptz 'epoch' + div(\(nanoseconds), 1000)::float8 * interval '1 microsecond'"
    }

    private static func milliseconds(_ nanoseconds: String) -> String {
        "(\(nanoseconds)) / 1e6::float8"
    }

    private static func text(_ column: String) -> String {
        "(SELECT value FROM dnstempo.text WHERE source = sample.source AND id = \(column))"
    }

    /// The word of the number that `expression` is, or else that number after `prefix`.
    private static func word(
        _ kind: String,
        _ expression: String,
        else prefix: String = ""
    ) -> String {
        """
        coalesce((SELECT word FROM dnstempo.word WHERE kind = '\(kind)' AND number = \(expression)), \
        '\(prefix)' || (\(expression)))
        """
    }

    /// The words of the bits of the number that `expression` is, with a space between them.
    private static func words(_ kind: String, _ expression: String) -> String {
        """
        (SELECT string_agg(word, ' ' ORDER BY number) FROM dnstempo.word \
        WHERE kind = '\(kind)' AND number & (\(expression)) <> 0)
        """
    }
}
