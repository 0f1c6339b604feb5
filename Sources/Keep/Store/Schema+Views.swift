import DNSWire
import SQLite
import Samples

/// Views for other programs, which nothing here reads. The names of their columns are those of
/// samples files and of exported hourly sums, and are only added to: by a step that makes a view
/// again, since these definitions are part of one.
extension Schema {
    /// The words stand in a table: in the definitions of older stores, which have to stay as they
    /// are, those that a later version adds would be missing.
    static let views = """
        CREATE TABLE word (
            kind TEXT NOT NULL,
            number INTEGER NOT NULL,
            word TEXT NOT NULL,
            PRIMARY KEY (kind, number)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO word VALUES \(Word.all.map(\.values).joined(separator: ", "));
        \(samplesView(outcome: "state & 7", code: "state >> 7"))
        CREATE VIEW rounds AS
        SELECT run.name AS run, number AS round, vantage.name AS vantage,
            \(word(.origin, "origin")) AS origin, \(text(ofTime: "started")) AS run_started,
            \(text(ofTime: "start")) AS start, \(text(ofTime: "stop")) AS stop, samples, pruned,
            \(words(.mark, "marks")) AS round_marks, interval / 1e6 AS interval_ms,
            timeout / 1e6 AS timeout_ms, margin / 1e6 AS margin_ms, schedule, baseline
        FROM round JOIN run ON run.id = run JOIN vantage ON vantage.id = vantage;
        \(hoursView(hasWrong: false))
        """

    /// The view of samples, by what the outcome and the response code are in `state`; with the columns of
    /// the cause, or from before there was one.
    static func samplesView(outcome: String, code: String, hasCause: Bool = false) -> String {
        """
        CREATE VIEW samples AS
        SELECT run.name AS run, round_number AS round,
            \(text(ofTime: "due")) AS scheduled, \(text(ofTime: "due + sent")) AS sent,
            vantage.name AS vantage, label AS resolver, address AS endpoint, transport,
            \(word(.series, "series")) AS series,
            question.name AS name, \(word(.type, "type", else: "TYPE")) AS type,
            \(word(.outcome, "outcome")) AS outcome,
            CASE code
                WHEN 0 THEN iif(
                    outcome = \(Outcome.answered.rawValue), '\(ResponseCode.noError)', NULL
                )
                WHEN 1 THEN NULL
                ELSE \(word(.code, "code - 2", else: "RCODE"))
            END AS rcode,
            round_trip / 1e6 AS rtt_ms, connect / 1e6 AS connect_ms,
            handshake / 1e6 AS handshake_ms, udp / 1e6 AS udp_ms, ttl, answers, size AS bytes,
            (coalesce(sent, 0) + coalesce(skew, 0)) / 1e6 AS late_ms,
            \(word(.clock, "nullif(clock, 3)")) AS clock, timeout / 1e6 AS timeout_ms,
            \(word(.cache, "nullif(cache, 0) - 1")) AS cache,
            (SELECT value FROM text WHERE id = site) AS site,
            (SELECT value FROM text WHERE id = extended_errors) AS ede,
            \(word(.connection, "nullif(connection & 7, \(Observation.Extras.noUse))"))
                AS connection,
            (SELECT value FROM text WHERE id = words) AS detail,
            \(words(.flag, "connection >> 3")) AS flags, \(words(.mark, "marks")) AS round_marks,
            \(word(.origin, "origin")) AS origin,
            network_rtt / 1e6 AS network_rtt_ms, edge / 1e6 AS edge_ms,
            hits AS warmup_hits, misses AS warmup_misses, miss_time / 1e6 AS warmup_miss_ms\(hasCause ? causeColumns : "")
        FROM (
            SELECT sample.*, coalesce(base, start) + scheduled AS due, run, marks,
                number AS round_number, \(outcome) AS outcome, state >> 3 & 3 AS clock,
                state >> 5 & 3 AS cache, \(code) AS code
            FROM sample JOIN round ON round.id = round
        ) AS sample
            JOIN run ON run.id = sample.run JOIN vantage ON vantage.id = vantage
            JOIN probe ON probe.id = probe JOIN question ON question.id = question
            JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint
            LEFT JOIN detail ON detail.round = sample.round AND detail.position = sample.position;
        """
    }

    /// The word, and behind a space the value.
    private static let causeColumns = """
        ,
            (SELECT substr(value, 1, instr(value || ' ', ' ') - 1) FROM text
                WHERE text.id = detail.cause) AS cause,
            (SELECT nullif(substr(value, instr(value || ' ', ' ') + 1), '') FROM text
                WHERE text.id = detail.cause) AS cause_value
        """

    /// The view of hourly sums, with a column of wrong answers or from before there was one.
    static func hoursView(hasWrong: Bool) -> String {
        let more = hasWrong ? " + coalesce(wrong, 0)" : ""
        return """
            CREATE VIEW hours AS
            SELECT \(text(ofTime: "hour * 3600000000000")) AS hour, vantage.name AS vantage,
                \(word(.type, "type", else: "TYPE")) AS type, timeout / 1e6 AS timeout_ms,
                label AS resolver, address AS endpoint, transport,
                \(word(.series, "series")) AS series, \(word(.origin, "origin")) AS origin,
                answered, timeouts, unreachable, malformed, failed, failures, filtered, offline,
                blocked, minimum AS min_ms,
                (sum + lost * timeout / 1e6) / nullif(answered + lost, 0) AS mean_ms,
                maximum AS max_ms\(hasWrong ? ", coalesce(wrong, 0) AS wrong" : "")
            FROM (SELECT *, timeouts + unreachable + malformed + failed\(more) AS lost FROM (
                SELECT *, (
                    SELECT coalesce(sum(CAST(value AS INTEGER)), 0)
                    FROM json_each('["' || replace(failures, ' ', '","') || '"]') WHERE key % 2
                ) AS failed FROM rollup
            )) AS rollup JOIN rollup_key ON rollup_key.id = key JOIN vantage ON vantage.id = vantage
                JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint;
            """
    }

    /// A number of one of the sets of words that samples, rounds and rollups have.
    struct Word {
        enum Kind: String {
            case series, type, outcome, code, clock, cache, connection, flag, mark, origin
        }

        let kind: String
        let number: Int64
        let word: String

        /// As a row of the table.
        var values: String { "('\(kind)', \(number), '\(word)')" }

        private init(_ kind: Kind, number: Int64, word: String) {
            self.init(kind: kind.rawValue, number: number, word: word)
        }

        private init(kind: String, number: Int64, word: String) {
            (self.kind, self.number, self.word) = (kind, number, word)
        }

        static let all =
            of(.series, Series.self) + of(.outcome, Outcome.self) + of(.clock, ClockSource.self)
            + of(.cache, CacheState.self) + of(.connection, ConnectionUse.self)
            + of(.origin, Run.Origin.self) + of(.flag, SampleFlags.self)
            + of(.mark, RoundMarks.self)
            + RecordType.named.map { Word(.type, number: Int64($0.rawValue), word: "\($0)") }
            + ResponseCode.named.map {
                Word(.code, number: Int64($0.rawValue), word: "\($0)")
            }

        /// Rows that say what no version did. That some are missing is no fault: a later version
        /// may know more words.
        static func findings(_ database: Database) throws -> [String] {
            let known = Set(all.map(\.values))
            return try database.rows("SELECT kind, number, word FROM word") { row in
                Word(kind: try row.text(0), number: try row.integer(1), word: try row.text(2))
            }
            .filter { !known.contains($0.values) }
            .map { "the word of \($0.kind) \($0.number) is not as it was stored" }
        }

        static func of(_ outcome: Outcome) -> Word {
            Word(.outcome, number: Int64(outcome.rawValue), word: "\(outcome)")
        }

        static let flags = of(.flag, SampleFlags.self)

        private static func of<Case: NamedCase>(_ kind: Kind, _ cases: Case.Type) -> [Word] {
            Case.allCases.map { Word(kind, number: Int64($0.rawValue), word: "\($0)") }
        }

        private static func of<Options: NamedOptions>(
            _ kind: Kind,
            _ options: Options.Type
        ) -> [Word] where Options.RawValue: FixedWidthInteger {
            Options.words.map { Word(kind, number: Int64($0.rawValue), word: $1) }
        }
    }

    /// The word of the number that `expression` is, or else that number after `prefix`.
    private static func word(
        _ kind: Word.Kind,
        _ expression: String,
        else prefix: String? = nil
    ) -> String {
        let number = prefix.map { "'\($0)' || (\(expression))" } ?? expression
        return """
            coalesce((SELECT word FROM word WHERE kind = '\(kind)' AND number = \(expression)), \
            \(number))
            """
    }

    /// The words of the bits of the number that `expression` is, with a space between them.
    private static func words(_ kind: Word.Kind, _ expression: String) -> String {
        """
        (SELECT group_concat(word, ' ') FROM word \
        WHERE kind = '\(kind)' AND number & (\(expression)))
        """
    }

    /// ``Timestamp/description`` of nanoseconds since 1970.
    private static func text(ofTime time: String) -> String {
        let fraction = "((\(time)) % 1000000000 + 1000000000) % 1000000000"
        return """
            strftime('%Y-%m-%dT%H:%M:%S.', (\(time) - \(fraction)) / 1000000000, 'unixepoch') || \
            iif(\(fraction) % 1000, printf('%09dZ', \(fraction)), \
            printf('%06dZ', \(fraction) / 1000))
            """
    }
}
