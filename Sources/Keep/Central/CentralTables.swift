import Store

/// The tables of a central store, and the rights that places and readers have.
struct CentralTables {
    let roles: CentralRoles

    var steps: [CentralStep] {
        get throws {
            let tables =
                try CentralSchema.numbered + CentralSchema.hourly
                + CentralSchema.summed.flatMap { table in
                    SumSpan.allCases.map { CentralSchema.table(table, of: $0) }
                }
                + [StoredDay.table, CentralSchema.round]
            return base + (try tables.flatMap(steps(for:))) + (try extensions)
        }
    }

    private var schema: [CentralStep] {
        let members = "\(roles.vantage), \(roles.reader)"
        let hasUsage = [roles.vantage, roles.reader].map {
            "has_schema_privilege(\(CentralRoles.number(of: $0)), to_regnamespace('dnstempo'), 'USAGE')"
        }
        return [
            CentralStep(
                unless: hasUsage.joined(separator: " AND "),
                ["GRANT USAGE ON SCHEMA dnstempo TO \(members)"]
            ),
            CentralStep(
                unless: """
                    NOT EXISTS (
                        SELECT FROM pg_database,
                            aclexplode(coalesce(datacl, acldefault('d', datdba))) AS entry
                        WHERE datname = current_database() AND grantee = 0
                            AND privilege_type = 'TEMPORARY'
                    )
                    """,
                [
                    """
                    DO $$ BEGIN
                        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
                    END $$
                    """
                ]
            ),
            // If this role may not revoke the right, a note reports it.
            CentralStep(
                unless: "NOT \(Self.isPublicWritable) OR NOT \(Self.mayRevoke)",
                ["REVOKE CREATE ON SCHEMA public FROM PUBLIC"]
            ),
        ]
    }

    /// An SQL condition: all roles may create functions in the schema `public`.
    static let isPublicWritable = """
        EXISTS (
            SELECT FROM pg_namespace,
                aclexplode(coalesce(nspacl, acldefault('n', nspowner))) AS entry
            WHERE nspname = 'public' AND grantee = 0 AND privilege_type = 'CREATE'
        )
        """
    private static let mayRevoke = """
        EXISTS (
            SELECT FROM pg_namespace WHERE nspname = 'public' AND pg_has_role(nspowner, 'USAGE')
        )
        """

    /// The progress of a source. It changes in the transaction that adds the rounds. It contains the number
    /// of rounds, the start of the first, the end of the last, the length of the longest, and the end of the
    /// last round without samples. `version` is the version of the store that shipped.
    private static let progress: [(column: String, type: String)] = [
        ("identity", "bytea"), ("round", "bigint NOT NULL DEFAULT 0"), ("run", "text"),
        ("number", "bigint"), ("rounds", "bigint NOT NULL DEFAULT 0"),
        ("longest", "bigint NOT NULL DEFAULT 0"), ("first", "bigint"), ("last", "bigint"),
        ("pruned", "bigint"), ("sums_from", "bigint"), ("skew_ms", "bigint"), ("at", "timestamptz"),
        ("version", "bigint"),
    ]

    private var base: [CentralStep] {
        let columns = Self.progress.map { "\($0.column) \($0.type)" }
        return schema + [
            Self.table("roles", ["prefix text NOT NULL"]),
            Self.table(
                "source",
                [
                    "id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
                    "vantage text NOT NULL CHECK (length(vantage) BETWEEN 1 AND 255)",
                    "labels jsonb NOT NULL DEFAULT '{}'",
                    "enrolled timestamptz NOT NULL DEFAULT now()",
                ]
            ),
            Self.table(
                "shipped",
                ["source bigint PRIMARY KEY REFERENCES dnstempo.source"] + columns
            ),
            Self.columns("shipped", Self.progress),
            grant("version"),
        ] + protection(of: "source", by: "id", updates: [], inserts: false)
            + protection(
                of: "shipped",
                by: "source",
                updates: Self.progress.map(\.column),
                inserts: false
            )
            + CentralConstraints.steps(for: "shipped", CentralConstraints.ofProgress)
    }

    static func table(_ name: String, _ columns: [String]) -> CentralStep {
        CentralStep(
            unless: "\(number(of: name)) IS NOT NULL",
            [
                """
                CREATE TABLE dnstempo."\(name)" (
                    \(columns.joined(separator: ",\n    "))
                )
                """
            ]
        )
    }

    /// An SQL expression for a table's number; NULL if the table does not exist.
    static func number(of table: String) -> String { "to_regclass('dnstempo.\"\(table)\"')" }

    /// Adds the columns that a table lacks.
    private static func columns(
        _ table: String,
        _ columns: [(column: String, type: String)]
    ) -> CentralStep {
        let names = columns.map { "'\($0.column)'" }.joined(separator: ", ")
        return CentralStep(
            unless: """
                (SELECT count(*) FROM pg_attribute WHERE attrelid = \(number(of: table))
                    AND attname IN (\(names)) AND NOT attisdropped) = \(columns.count)
                """,
            columns.map {
                "ALTER TABLE dnstempo.\"\(table)\" ADD COLUMN IF NOT EXISTS \"\($0.column)\" \($0.type)"
            }
        )
    }

    private func steps(for table: StoredTable) throws -> [CentralStep] {
        let key = (["source"] + table.key.map { "\"\($0)\"" }).joined(separator: ", ")
        let columns = table.columns.map { column in
            "\"\(column.name)\" \(column.kind.type.name)\(column.isFilled ? " NOT NULL" : "")"
        }
        // A column that was added later is 0 in older rows.
        let later = table.columns.map { column in
            let missing = column.isFilled ? " NOT NULL DEFAULT 0" : ""
            return (column: column.name, type: column.kind.type.name + missing)
        }
        let isChanged = CentralSchema.isChanged(table)
        let changed = table.columns.map(\.name).filter { !table.key.contains($0) }
        return [
            Self.table(
                table.name,
                ["source bigint NOT NULL REFERENCES dnstempo.source"] + columns
                    + ["PRIMARY KEY (\(key))"]
            ), Self.columns(table.name, later),
        ]
            + protection(
                of: table.name,
                by: "source",
                updates: isChanged ? changed : [],
                inserts: true
            )
            + (try CentralConstraints.steps(for: table))
    }

    /// The key and the index that find rounds that were shipped more than once.
    private var extensions: [CentralStep] {
        get throws {
            let key = try (["source"] + CentralSchema.round.key).joined(separator: ", ")
            return [
                CentralStep(
                    unless: """
                        EXISTS (
                            SELECT FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid
                                AND attnum = ANY(conkey) AND attname = 'extended'
                            WHERE conrelid = \(Self.number(of: "round")) AND contype = 'p'
                        )
                        """,
                    [
                        "ALTER TABLE dnstempo.round DROP CONSTRAINT IF EXISTS round_pkey, "
                            + "ADD PRIMARY KEY (\(key))"
                    ]
                ),
                CentralStep(
                    unless: "\(Self.number(of: "round_extended")) IS NOT NULL",
                    [
                        """
                        CREATE INDEX round_extended ON dnstempo.round (source, id)
                        WHERE extended > 0
                        """
                    ]
                ),
            ]
        }
    }

    /// Lets places and readers read a table or a view.
    func grant(_ name: String) -> CentralStep {
        let mayRead = [roles.vantage, roles.reader].map { has("SELECT", on: name, $0) }
        return CentralStep(
            unless: mayRead.joined(separator: " AND "),
            ["GRANT SELECT ON dnstempo.\"\(name)\" TO \(roles.vantage), \(roles.reader)"]
        )
    }

    private func has(_ right: String, on table: String, _ role: String) -> String {
        "has_table_privilege(\(CentralRoles.number(of: role)), \(Self.number(of: table)), '\(right)')"
    }

    /// The steps for a table's rights: a place reads and writes its own rows, a reader reads all rows.
    ///
    /// A place may update columns, but not the table: a role that may update the table may lock it
    /// (PostgreSQL, LOCK).
    private func protection(
        of table: String,
        by source: String,
        updates columns: [String],
        inserts: Bool
    ) -> [CentralStep] {
        let name = "dnstempo.\"\(table)\""
        let rights = ["SELECT"] + (inserts ? ["INSERT"] : [])
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        // A name of a column that the table still lacks would be an error.
        let mayUpdate = columns.map {
            """
            (SELECT has_column_privilege(
                \(CentralRoles.number(of: roles.vantage)), attrelid, attnum, 'UPDATE'
            ) FROM pg_attribute WHERE attrelid = \(Self.number(of: table))
                AND attname = '\($0)' AND NOT attisdropped)
            """
        }
        return [
            CentralStep(
                unless:
                    "(SELECT relrowsecurity FROM pg_class WHERE oid = \(Self.number(of: table)))",
                ["ALTER TABLE \(name) ENABLE ROW LEVEL SECURITY"]
            ),
            grant(table),
            CentralStep(
                unless: (rights.map { has($0, on: table, roles.vantage) } + mayUpdate
                    + ["NOT " + has("UPDATE", on: table, roles.vantage)])
                    .joined(separator: " AND "),
                [
                    "GRANT \(rights.joined(separator: ", ")) ON \(name) TO \(roles.vantage)",
                    "REVOKE UPDATE ON \(name) FROM \(roles.vantage)",
                ]
                    + (columns.isEmpty
                        ? [] : ["GRANT UPDATE (\(names)) ON \(name) TO \(roles.vantage)"])
            ),
        ] + policies(of: table, by: source, updates: !columns.isEmpty, inserts: inserts)
    }

    private func policies(
        of table: String,
        by source: String,
        updates: Bool,
        inserts: Bool
    ) -> [CentralStep] {
        let (vantage, own) = (roles.vantage, roles.isOwn(source))
        let policies =
            [
                ("read_all", "SELECT TO \(roles.reader) USING (true)"),
                ("read_own", "SELECT TO \(vantage) USING \(own)"),
            ] + (inserts ? [("add_own", "INSERT TO \(vantage) WITH CHECK \(own)")] : [])
            + (updates ? [("mend_own", "UPDATE TO \(vantage) USING \(own) WITH CHECK \(own)")] : [])
        return policies.map { policy, text in
            let name = "\(policy) ON dnstempo.\"\(table)\""
            return CentralStep(
                "POLICY \(name)",
                at: """
                    (SELECT oid FROM pg_policy
                    WHERE polrelid = \(Self.number(of: table)) AND polname = '\(policy)')
                    """,
                in: "pg_policy",
                ["DROP POLICY IF EXISTS \(name)", "CREATE POLICY \(name) FOR \(text)"]
            )
        }
    }
}
