import Failures
import Store

/// The tables of a central store. They are the tables of a place's store, with the number of the source in
/// each row. The samples of a round are packed into one value.
///
/// A place may add rows of its own. It may update its rows of hours, which later rounds change. The name of
/// its role is a prefix and the number of its source, so that a policy needs no look-up (PostgreSQL, §5.8).
package enum CentralSchema {
    /// The version of the tables that are copied. A central store must be as new as the store of each place.
    package static var version: Int { Store.schemaVersion }

    /// Creates the tables, or adds the new parts of this version. The owner of the database must run it.
    ///
    /// - Returns: Notes for the owner, one line each.
    package static func make(_ connection: CentralConnection) throws -> [String] {
        try begin(connection)
        do {
            return try makeAgainIfThere(connection)
        } catch let error as CentralError where error.state == CentralError.lockTimeout {
            throw try blocked(connection) ?? error
        }
    }

    /// All databases of a server share its roles, and another one may create them at the same moment. No lock of
    /// this database prevents that. A second attempt sees these roles.
    private static func makeAgainIfThere(_ connection: CentralConnection) throws -> [String] {
        let make = { try connection.transaction { try makeTables(connection) } }
        do {
            return try make()
        } catch let error as CentralError
            where [CentralError.isThere, CentralError.isDuplicate].contains(error.state)
        {
            return try make()
        }
    }

    /// Creates the table that is locked while the other tables are created.
    private static func begin(_ connection: CentralConnection) throws {
        let step = CentralStep(
            unless: "\(CentralTables.number(of: "version")) IS NOT NULL",
            [
                "CREATE SCHEMA IF NOT EXISTS dnstempo",
                "CREATE TABLE IF NOT EXISTS dnstempo.version (version bigint NOT NULL)",
            ]
        )
        do {
            try connection.transaction { try [step].run(on: connection) }
        } catch let error as CentralError where error.state == CentralError.isThere {
            // Another process has created it and has ended.
        }
    }

    private static func makeTables(_ connection: CentralConnection) throws -> [String] {
        // One process at a time. A place may only read the table. It can take neither this lock nor a lock
        // that delays this one (PostgreSQL, section 13.3.1).
        try connection.query("LOCK TABLE dnstempo.version IN SHARE ROW EXCLUSIVE MODE")
        let query = "SELECT max(version)::int8 FROM dnstempo.version"
        let known = try connection.query(query).integer(0, 0)
        if let known, known > version {
            throw CentralError(
                .badData,
                "the central store at \(connection.place) was made by a newer dnstempo (version "
                    + "\(known), this one knows \(version)): use that one"
            )
        }
        let kept = try CentralRoles.kept(connection)
        let (roles, areReplaced) = try CentralRoles.chosen(kept, connection)
        let tables = CentralTables(roles: roles)
        try (roles.steps + tables.steps + CentralViews.steps(tables)).run(on: connection)
        var notes = areReplaced ? try roles.replace(kept, connection) : []
        try fill(connection)
        if kept != roles || known == nil {
            try connection.query("DELETE FROM dnstempo.roles")
            try connection.query("INSERT INTO dnstempo.roles VALUES ($1)", [.text(roles.prefix)])
        }
        if known != Int64(version) {
            try connection.query("DELETE FROM dnstempo.version")
            try connection.query(
                "INSERT INTO dnstempo.version VALUES ($1)",
                [.integer(Int64(version))]
            )
        }
        let writable = try connection.query("SELECT WHERE \(CentralTables.isPublicWritable)")
        if writable.count > 0 {
            notes.append(
                "all roles may make functions in the schema public, which run as those who call them: "
                    + "have a superuser run REVOKE CREATE ON SCHEMA public FROM PUBLIC"
            )
        }
        return notes
    }

    /// Makes the places send all sums again to a central store that is older than the sums of days. A place
    /// that is shipping now has them.
    private static func fill(_ connection: CentralConnection) throws {
        try connection.query(
            """
            UPDATE dnstempo.shipped SET (rounds, longest, first, last, pruned, sums_from) = (
                SELECT count(*), least(greatest(max(stop::numeric - start), 0), \(Int64.max))::bigint,
                    min(start), greatest(max(stop), min(start)),
                    max(stop) FILTER (WHERE round.pruned <> 0), min(start) / 3600000000000
                FROM dnstempo.round WHERE round.source = shipped.source
            ) WHERE source IN (
                SELECT source FROM dnstempo.shipped WHERE first IS NULL AND round > 0
                    AND EXISTS (SELECT FROM dnstempo.round WHERE round.source = shipped.source)
                FOR UPDATE SKIP LOCKED
            )
            """
        )
    }

    /// The error that names the sessions with locks; `nil` if all of them have ended.
    private static func blocked(_ connection: CentralConnection) throws -> CentralError? {
        let found = try connection.query(
            """
            SELECT string_agg(holder, ', ') FROM (
                SELECT DISTINCT format('%s (process %s)', coalesce(usename, backend_type), pid) AS holder
                FROM pg_locks JOIN pg_stat_activity USING (pid)
                    JOIN pg_class ON pg_class.oid = relation
                WHERE granted AND relnamespace = to_regnamespace('dnstempo')
                    AND pid <> pg_backend_pid()
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                LIMIT 3
            ) AS holders
            """
        )
        return found.text(0, 0).map { holders in
            CentralError(
                .busy,
                "the central store at \(connection.place): tables are locked by \(holders): try again "
                    + "once they have ended, or end them with pg_terminate_backend"
            )
        }
    }

    /// Creates a source, and the role that ships as this source. `again` enrols the place of a store that was
    /// restored from a copy.
    ///
    /// - Returns: The number of the source, and the role.
    /// - Throws: A usage error if another place has the name, because reports could not distinguish them.
    package static func enrol(
        _ vantage: String,
        labels: [(String, String)],
        password: String?,
        again: Bool = false,
        _ connection: CentralConnection
    ) throws -> (source: Int, role: String) {
        try connection.transaction {
            // The second of two concurrent enrolments sees the first.
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtext('dnstempo.enrol'))::text"
            )
            let known = try connection.query(
                "SELECT min(id)::int8 FROM dnstempo.source WHERE vantage = $1",
                [.text(vantage)]
            )
            if !again, let source = known.integer(0, 0) {
                throw CentralError(
                    .usage,
                    "'\(vantage)' is enrolled already, as place \(source): choose another name, or add "
                        + "--again if its store was put back"
                )
            }
            let pairs = labels.flatMap { [StoredValue.text($0.0), .text($0.1)] }
            let found = try connection.query(
                """
                INSERT INTO dnstempo.source (vantage, labels)
                VALUES ($1, coalesce(jsonb_object($2), '{}')) RETURNING id::int8
                """,
                [.text(vantage), .list(.text, pairs)]
            )
            guard let source = found.integer(0, 0) else {
                throw CentralError.strange(connection.place)
            }
            let roles = try CentralRoles.kept(connection)
            let role = roles.place(source)
            // The definition of a role takes no parameters. A password consists of letters and digits.
            let secret = password.map { " PASSWORD '\($0)'" } ?? ""
            try connection.query("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 2\(secret)")
            try connection.query("GRANT \(roles.vantage) TO \(role)")
            for (name, limit) in limits {
                try connection.query("ALTER ROLE \(role) SET \(name) = '\(limit)'")
            }
            try connection.query(
                "INSERT INTO dnstempo.shipped (source) VALUES ($1)",
                [.integer(source)]
            )
            return (Int(source), role)
        }
    }

    /// The default limits of a role. Other places do not wait long for a place that stops halfway.
    private static let limits = [
        ("statement_timeout", "60s"), ("lock_timeout", "20s"),
        ("idle_in_transaction_session_timeout", "60s"),
    ]

    static var numbered: [StoredTable] { get throws { try Store.numberedTables() } }
    static var hourly: [StoredTable] { get throws { try Store.hourlyTables() } }

    /// The tables of hourly sums that also have sums of days and months.
    static var summed: [StoredTable] {
        get throws { try hourly.filter { $0.key.first == "hour" } }
    }

    /// The table of sums of whole days or months. It has the columns of the hourly table. Each row has the
    /// first hour of its span.
    static func table(_ table: StoredTable, of span: SumSpan) -> StoredTable {
        var sums = table
        sums.name += "_\(span.rawValue)"
        return sums
    }

    static var round: StoredTable {
        get throws {
            var table = try Store.roundTable()
            table.columns.append(.init(name: "data", kind: .blob, isFilled: false))
            // Rounds are searched by time. A round is never overwritten: after samples were added to it, it
            // is stored again next to its earlier version.
            table.key = ["start", "id", "extended"]
            return table
        }
    }

    /// Whether later rounds change rows. They change rows of hours, but not rows of moments.
    static func isChanged(_ table: StoredTable) -> Bool { table.key.contains("hour") }
}

extension CentralError {
    /// The error of an answer that no statement of this program can have.
    static func strange(_ place: String) -> CentralError {
        CentralError(.badData, "the central store at \(place) gave an answer without rows")
    }
}
