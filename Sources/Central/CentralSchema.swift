import Store

/// The tables of a central store: those of every place's store, each row with the number of its
/// source, and rounds with their samples packed into one value.
///
/// A place may add rows of its own, and write those of hours again, which later rounds change; its role
/// is `dnstempo_` and the number of its source, so that a policy needs no look-up (PostgreSQL, §5.8).
package enum CentralSchema {
    /// That of the tables that are copied, of which a central store has one as new as any place's.
    package static var version: Int { Store.schemaVersion }

    /// Makes the tables, or adds what this version has more; to be run by the owner of the database.
    package static func make(_ connection: CentralConnection) throws {
        try connection.transaction { try makeTables(connection) }
    }

    private static func makeTables(_ connection: CentralConnection) throws {
        // One at a time.
        try connection.query("SELECT pg_advisory_xact_lock(1684960116)")
        for statement in roles + base { try connection.query(statement) }
        let found = try connection.query("SELECT max(version)::int8 FROM dnstempo.version")
        if let known = found.integer(0, 0), known > version {
            throw CentralError.newer(Int(known), at: connection.place)
        }
        for table in try numbered + hourly + summed.flatMap(spans) + [StoredDay.table, round] {
            for statement in statements(for: table) { try connection.query(statement) }
        }
        for statement in try extensions + CentralViews.statements {
            try connection.query(statement)
        }
        // Central stores from before there were sums of days have their places send all sums again.
        try connection.query(
            """
            UPDATE dnstempo.shipped SET (rounds, longest, first, last, pruned, sums_from) = (
                SELECT count(*), max(stop - start), min(start), max(stop),
                    max(stop) FILTER (WHERE round.pruned <> 0), min(start) / 3600000000000
                FROM dnstempo.round WHERE round.source = shipped.source
            ) WHERE first IS NULL AND round > 0
            """
        )
        try connection.query("DELETE FROM dnstempo.version")
        try connection.query(
            "INSERT INTO dnstempo.version VALUES ($1)",
            [.integer(Int64(version))]
        )
    }

    /// Makes a source, and the role that ships as it. Returns its number.
    package static func enrol(
        _ vantage: String,
        labels: [(String, String)],
        password: String?,
        _ connection: CentralConnection
    ) throws -> Int {
        try connection.transaction {
            let pairs = StoredValues.texts(labels.flatMap { [$0.0, $0.1] })
            let found = try connection.query(
                """
                INSERT INTO dnstempo.source (vantage, labels)
                VALUES ($1, coalesce(jsonb_object($2), '{}')) RETURNING id::int8
                """,
                [.text(vantage), .list(pairs)]
            )
            guard let source = found.integer(0, 0) else {
                throw CentralError.strange(connection.place)
            }
            let role = "dnstempo_\(source)"
            // A role's definition takes no parameters; a password has letters and digits alone.
            let secret = password.map { " PASSWORD '\($0)'" } ?? ""
            try connection.query("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 2\(secret)")
            try connection.query("GRANT dnstempo_vantage TO \(role)")
            for (name, limit) in limits {
                try connection.query("ALTER ROLE \(role) SET \(name) = '\(limit)'")
            }
            try connection.query(
                "INSERT INTO dnstempo.shipped (source) VALUES ($1)",
                [.integer(source)]
            )
            return Int(source)
        }
    }

    /// The limits of a role unless it asks for others: a place that stops halfway holds up nobody.
    private static let limits = [
        ("statement_timeout", "60s"), ("lock_timeout", "20s"),
        ("idle_in_transaction_session_timeout", "60s"),
    ]

    static var numbered: [StoredTable] { get throws { try Store.numberedTables() } }
    static var hourly: [StoredTable] { get throws { try Store.hourlyTables() } }

    /// The sums of hours that have sums of days and months too.
    static var summed: [StoredTable] {
        get throws { try hourly.filter { $0.key.first == "hour" } }
    }

    /// The same of whole days and months: with an hour's columns, each row with the first hour of its
    /// span.
    private static func spans(_ table: StoredTable) -> [StoredTable] {
        SumSpan.allCases.map { self.table(table, of: $0) }
    }

    static func table(_ table: StoredTable, of span: SumSpan) -> StoredTable {
        var sums = table
        sums.name += "_\(span.rawValue)"
        return sums
    }

    static var round: StoredTable {
        get throws {
            var table = try Store.roundTable()
            table.columns.append(.init(name: "data", kind: .blob, isFilled: false))
            // Rounds are looked for by their time. None is written again: one that samples were added
            // to comes beside what came before.
            table.key = ["start", "id", "extended"]
            return table
        }
    }

    /// The key and the index that find rounds that came more than once.
    private static var extensions: [String] {
        get throws {
            let key = try (["source"] + round.key).joined(separator: ", ")
            return [
                """
                DO $$ BEGIN
                    IF NOT EXISTS (
                        SELECT FROM information_schema.key_column_usage
                        WHERE constraint_schema = 'dnstempo' AND constraint_name = 'round_pkey'
                            AND column_name = 'extended'
                    ) THEN
                        ALTER TABLE dnstempo.round DROP CONSTRAINT round_pkey, ADD PRIMARY KEY (\(key));
                    END IF;
                END $$
                """,
                """
                CREATE INDEX IF NOT EXISTS round_extended ON dnstempo.round (source, id)
                WHERE extended > 0
                """,
            ]
        }
    }

    private static let roles = ["dnstempo_vantage", "dnstempo_reader"].map { role in
        """
        DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(role)') THEN
                CREATE ROLE \(role) NOLOGIN;
            END IF;
        END $$
        """
    }

    private static let base =
        [
            "CREATE SCHEMA IF NOT EXISTS dnstempo",
            "REVOKE ALL ON SCHEMA dnstempo FROM PUBLIC",
            "GRANT USAGE ON SCHEMA dnstempo TO dnstempo_vantage, dnstempo_reader",
            """
            DO $$ BEGIN
                EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
            END $$
            """,
            "CREATE TABLE IF NOT EXISTS dnstempo.version (version bigint NOT NULL)",
            """
            CREATE TABLE IF NOT EXISTS dnstempo.source (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                vantage text NOT NULL CHECK (length(vantage) BETWEEN 1 AND 255),
                labels jsonb NOT NULL DEFAULT '{}',
                enrolled timestamptz NOT NULL DEFAULT now()
            )
            """,
            // How far a source has come; it moves in the transaction that brings the rounds, of which it
            // has the number, when the first began and the last ended, the length of the longest, and when
            // the last ended that has no samples.
            """
            CREATE TABLE IF NOT EXISTS dnstempo.shipped (
                source bigint PRIMARY KEY REFERENCES dnstempo.source,
                identity bytea,
                round bigint NOT NULL DEFAULT 0,
                run text,
                number bigint,
                rounds bigint NOT NULL DEFAULT 0,
                longest bigint NOT NULL DEFAULT 0,
                first bigint,
                last bigint,
                pruned bigint,
                sums_from bigint,
                skew_ms bigint,
                at timestamptz
            )
            """,
            "ALTER TABLE dnstempo.shipped ADD COLUMN IF NOT EXISTS rounds bigint NOT NULL DEFAULT 0",
            "ALTER TABLE dnstempo.shipped ADD COLUMN IF NOT EXISTS longest bigint NOT NULL DEFAULT 0",
            "ALTER TABLE dnstempo.shipped ADD COLUMN IF NOT EXISTS first bigint",
            "ALTER TABLE dnstempo.shipped ADD COLUMN IF NOT EXISTS last bigint",
            "ALTER TABLE dnstempo.shipped ADD COLUMN IF NOT EXISTS pruned bigint",
            "GRANT SELECT ON dnstempo.version TO dnstempo_vantage, dnstempo_reader",
        ] + protection(of: "source", by: "id", updates: false, inserts: false)
        + protection(of: "shipped", by: "source", updates: true, inserts: false)

    /// Whether later rounds change rows: those of hours, but not those of moments.
    static func isChanged(_ table: StoredTable) -> Bool { table.key.contains("hour") }

    private static func statements(for table: StoredTable) -> [String] {
        let name = "dnstempo.\"\(table.name)\""
        let columns = table.columns.map { "\"\($0.name)\" \(type(of: $0))" }
        let key = (["source"] + table.key.map { "\"\($0)\"" }).joined(separator: ", ")
        // What came later to all rows is 0 in those of before.
        let later = table.columns.map { column in
            "ALTER TABLE \(name) ADD COLUMN IF NOT EXISTS \"\(column.name)\" "
                + column.kind.postgreSQL + (column.isFilled ? " NOT NULL DEFAULT 0" : "")
        }
        return [
            """
            CREATE TABLE IF NOT EXISTS \(name) (
                source bigint NOT NULL REFERENCES dnstempo.source,
                \(columns.joined(separator: ",\n    ")),
                PRIMARY KEY (\(key))
            )
            """
        ] + later
            + protection(of: table.name, by: "source", updates: isChanged(table), inserts: true)
    }

    private static func type(of column: StoredTable.Column) -> String {
        column.kind.postgreSQL + (column.isFilled ? " NOT NULL" : "")
    }

    /// The statements for a table's rights: a place reads and writes its own rows, a reader reads
    /// all.
    private static func protection(
        of table: String,
        by source: String,
        updates: Bool,
        inserts: Bool
    ) -> [String] {
        let name = "dnstempo.\"\(table)\""
        let own = "(session_user = 'dnstempo_' || \(source))"
        let policies =
            [("read_all", "SELECT TO dnstempo_reader USING (true)")]
            + [("read_own", "SELECT TO dnstempo_vantage USING \(own)")]
            + (inserts ? [("add_own", "INSERT TO dnstempo_vantage WITH CHECK \(own)")] : [])
            + (updates
                ? [("mend_own", "UPDATE TO dnstempo_vantage USING \(own) WITH CHECK \(own)")] : [])
        let rights = ["SELECT"] + (inserts ? ["INSERT"] : []) + (updates ? ["UPDATE"] : [])
        return [
            "ALTER TABLE \(name) ENABLE ROW LEVEL SECURITY",
            "GRANT SELECT ON \(name) TO dnstempo_reader",
            "GRANT \(rights.joined(separator: ", ")) ON \(name) TO dnstempo_vantage",
        ]
            + policies.flatMap { policy, text in
                [
                    "DROP POLICY IF EXISTS \(policy) ON \(name)",
                    "CREATE POLICY \(policy) ON \(name) FOR \(text)",
                ]
            }
    }
}

extension StoredTable.Kind {
    fileprivate var postgreSQL: String {
        switch self {
        case .integer: "bigint"
        case .real: "double precision"
        case .text: "text"
        case .blob: "bytea"
        }
    }
}

extension CentralError {
    static func newer(_ version: Int, at place: String) -> CentralError {
        CentralError(
            .badData,
            "the central store at \(place) was made by a newer dnstempo (version \(version), this one "
                + "knows \(CentralSchema.version)): use that one"
        )
    }

    /// The server answered something that this program never asked for.
    static func strange(_ place: String) -> CentralError {
        CentralError(.badData, "the central store at \(place) gave an answer without rows")
    }
}
