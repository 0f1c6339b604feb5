import DNSWire
import SQLite
import Samples

/// Views for other programs; this program does not read them. The names of their columns are those of samples
/// files and of exported hourly sums. Columns are only added. A migration step then creates the view again,
/// because these definitions are part of an earlier step.
extension Schema {
    /// The words are in a table. The definitions of older stores must not change, so that they would lack
    /// words that a later version adds.
    static let views = """
        CREATE TABLE word (
            kind TEXT NOT NULL,
            number INTEGER NOT NULL,
            word TEXT NOT NULL,
            PRIMARY KEY (kind, number)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO word VALUES \(Word.all.map(\.values).joined(separator: ", "));
        \(samplesView(state: ViewColumns.ofState(outcome: "state & 7", code: "state >> 7")))
        CREATE VIEW rounds AS
        SELECT \(columns.rounds)
        FROM round JOIN run ON run.id = run JOIN vantage ON vantage.id = vantage;
        \(hoursView(hasWrong: false))
        """

    private static let columns = ViewColumns()

    /// The view of samples. `hasCause` adds the columns of the cause, and `hasPackets` those of the packets.
    /// Older versions lack them.
    static func samplesView(
        state: String = ViewColumns.ofState(),
        hasCause: Bool = false,
        hasPackets: Bool = false
    ) -> String {
        let more = (hasCause ? causeColumns : "") + (hasPackets ? ViewColumns.packets : "")
        return """
            CREATE VIEW samples AS
            SELECT \(columns.samples(more: more))
            FROM (
                SELECT sample.*, coalesce(base, start) + scheduled AS due, run, marks,
                    number AS round_number, \(state)
                FROM sample JOIN round ON round.id = round
            ) AS sample
                JOIN run ON run.id = sample.run JOIN vantage ON vantage.id = vantage
                JOIN probe ON probe.id = probe JOIN question ON question.id = question
                JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint
                LEFT JOIN detail ON detail.round = sample.round AND detail.position = sample.position;
            """
    }

    /// The cause's word and, after a space, its value.
    private static let causeColumns = """
        ,
            (SELECT substr(value, 1, instr(value || ' ', ' ') - 1) FROM text
                WHERE text.id = detail.cause) AS cause,
            (SELECT nullif(substr(value, instr(value || ' ', ' ') + 1), '') FROM text
                WHERE text.id = detail.cause) AS cause_value
        """

    /// The view of hourly sums. `hasWrong` adds the column of wrong answers, and `hasRounds` the columns of
    /// rounds, which older versions lack.
    static func hoursView(hasWrong: Bool, hasRounds: Bool = false) -> String {
        let hour = columns.time("hour * 3600000000000")
        let lost = ViewColumns.lost + (hasWrong ? " + coalesce(wrong, 0)" : "")
        let more =
            (hasWrong ? ViewColumns.wrong : "") + (hasRounds ? ViewColumns.availability : "")
        return """
            CREATE VIEW hours AS
            SELECT \(columns.hours(hour: hour, more: more))
            FROM (SELECT *, \(lost) AS lost FROM (
                SELECT *, (
                    SELECT coalesce(sum(CAST(value AS INTEGER)), 0)
                    FROM json_each('["' || replace(failures, ' ', '","') || '"]') WHERE key % 2
                ) AS failed FROM rollup
            )) AS rollup JOIN rollup_key ON rollup_key.id = key JOIN vantage ON vantage.id = vantage
                JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint;
            """
    }

    /// A number and its word, of one of the sets that samples, rounds and rollups use.
    struct Word {
        enum Kind: String {
            case series, type, outcome, code, clock, cache, connection, flag, mark, origin
        }

        let kind: String
        let number: Int64
        let word: String

        /// The word as a row of the table, in SQL.
        var values: String { "('\(kind)', \(number), '\(word)')" }

        static let all =
            of(.series, Series.self) + of(.outcome, Outcome.self) + of(.clock, ClockSource.self)
            + of(.cache, CacheState.self) + of(.connection, ConnectionUse.self)
            + of(.origin, Run.Origin.self) + of(.flag, SampleFlags.self)
            + of(.mark, RoundMarks.self)
            + RecordType.named.map { of(.type, $0.rawValue, "\($0)") }
            + ResponseCode.named.map { of(.code, $0.rawValue, "\($0)") }

        /// Describes rows that no version has stored. Missing rows are not a fault: a later version may know
        /// more words.
        static func findings(_ database: Database) throws -> [String] {
            let known = Set(all.map(\.values))
            return try database.rows("SELECT kind, number, word FROM word") { row in
                Word(kind: try row.text(0), number: try row.integer(1), word: try row.text(2))
            }
            .filter { !known.contains($0.values) }
            .map { "the word of \($0.kind) \($0.number) is not as it was stored" }
        }

        static func of(_ outcome: Outcome) -> Word { of(.outcome, outcome.rawValue, "\(outcome)") }

        static let flags = of(.flag, SampleFlags.self)
        /// The words of flags and series that were added after the version of the views, as rows.
        static let added = (flags + of(.series, Series.self)).map(\.values).joined(separator: ", ")

        private static func of<Case: NamedCase>(_ kind: Kind, _ cases: Case.Type) -> [Word] {
            Case.allCases.map { of(kind, $0.rawValue, "\($0)") }
        }

        private static func of<Options: NamedOptions>(
            _ kind: Kind,
            _ options: Options.Type
        ) -> [Word] where Options.RawValue: FixedWidthInteger {
            Options.words.map { of(kind, $0.rawValue, $1) }
        }

        private static func of(_ kind: Kind, _ number: some FixedWidthInteger, _ word: String)
            -> Word
        {
            Word(kind: kind.rawValue, number: Int64(number), word: word)
        }
    }
}
