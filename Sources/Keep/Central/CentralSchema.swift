import Failures
import Store

/// The tables of a central store: those of every place's store, each row with the number of its
/// source, and rounds with their samples packed into one value.
///
/// A place may add rows of its own, and write those of hours again, which later rounds change; its role
/// is a prefix and the number of its source, so that a policy needs no look-up (PostgreSQL, §5.8).
package enum CentralSchema {
    /// That of the tables that are copied, of which a central store has one as new as any place's.
    package static var version: Int { Store.schemaVersion }

    /// Makes the tables, or adds what this version has more; to be run by the owner of the database.
    ///
    /// - Returns: What the owner has to know, a line each.
    package static func make(_ connection: CentralConnection) throws -> [String] {
        try begin(connection)
        do {
            return try connection.transaction { try makeTables(connection) }
        } catch let error as CentralError where error.state == CentralError.lockTimeout {
            throw try blocked(connection) ?? error
        }
    }

    /// Makes the table that each making of the others locks.
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
            // Another process was faster, and has ended.
        }
    }

    private static func makeTables(_ connection: CentralConnection) throws -> [String] {
        // One at a time. A place may only read the table, so that it cannot take this lock, nor one
        // that delays it (PostgreSQL, section 13.3.1).
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

    /// Central stores from before there were sums of days have their places send all sums again. A
    /// place that ships now has them.
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

    /// Error that names the sessions with locks; `nil` where all of them have ended.
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

    /// Makes a source, and the role that ships as it. Returns its number and the role. Throws a usage
    /// error where another place has the name, since reports would take both for one, unless it is
    /// enrolled `again` after its store was put back.
    package static func enrol(
        _ vantage: String,
        labels: [(String, String)],
        password: String?,
        again: Bool = false,
        _ connection: CentralConnection
    ) throws -> (source: Int, role: String) {
        try connection.transaction {
            // Of two enrolments at the same time, the second sees the first.
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
            // A role's definition takes no parameters; a password has letters and digits alone.
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

    /// The limits of a role unless it asks for others: no other place waits long for a place that stops halfway.
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

    /// The same of whole days or months: with an hour's columns, each row with the first hour of its span.
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

    /// Whether later rounds change rows: those of hours, but not those of moments.
    static func isChanged(_ table: StoredTable) -> Bool { table.key.contains("hour") }
}

extension CentralError {
    /// The server answered something that this program never asked for.
    static func strange(_ place: String) -> CentralError {
        CentralError(.badData, "the central store at \(place) gave an answer without rows")
    }
}
