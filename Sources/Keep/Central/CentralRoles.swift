import Catalogue

/// The roles of a central store. Roles belong to the whole server. A second central store on the server
/// therefore has roles of its own, with the name of its database.
struct CentralRoles: Hashable {
    /// The prefix of the first central store on a server.
    static let usual = CentralRoles(prefix: "dnstempo_")

    var prefix: String

    /// The group of roles that read the rounds of all places.
    var reader: String { prefix + "reader" }
    /// The group of roles that ship.
    var vantage: String { prefix + "vantage" }
    func place(_ source: Int64) -> String { "\(prefix)\(source)" }

    /// An SQL condition: the session's role ships as the source of a row. Places that were enrolled before
    /// the central store had roles of its own keep their role.
    func isOwn(_ source: String) -> String {
        let names = Set([Self.usual.prefix, prefix]).sorted().map { "'\($0)' || \(source)" }
        return names.count == 1
            ? "(session_user = \(names[0]))"
            : "(session_user IN (\(names.joined(separator: ", "))))"
    }

    /// An SQL expression for the number of a role; NULL if the role does not exist.
    static func number(of role: String) -> String {
        "(SELECT oid FROM pg_catalog.pg_roles WHERE rolname = '\(role)')"
    }

    /// The roles with the name of a database. The names need no quotes and have at most 63 bytes.
    private static func own(of database: String) -> CentralRoles {
        let letters = database.lowercased().utf8.filter {
            $0.isAlphanumeric || $0 == UInt8(ascii: "_")
        }
        var name = String(decoding: letters, as: UTF8.self)
        if name != database || name.utf8.count > 30 {
            let rest = CentralStep.version(of: [database]).suffix(8)
            name = "\(name.prefix(20))_\(rest)"
        }
        return CentralRoles(prefix: "\(usual.prefix)\(name)_")
    }

    /// The recorded roles; the usual roles if none are recorded.
    static func kept(_ connection: CentralConnection) throws -> CentralRoles {
        let found = try connection.query("SELECT to_regclass('dnstempo.roles')::oid::bigint")
        guard found.integer(0, 0) != nil else { return usual }
        let prefix = try connection.query("SELECT prefix FROM dnstempo.roles").text(0, 0)
        return prefix.map(CentralRoles.init) ?? usual
    }

    /// The roles that the central store must have. These are the recorded roles, unless the central store of
    /// another database on this server had them first.
    ///
    /// - Returns: The roles, and whether the recorded roles must lose their rights in this database.
    static func chosen(
        _ kept: CentralRoles,
        _ connection: CentralConnection
    ) throws -> (roles: CentralRoles, areReplaced: Bool) {
        let users = """
            SELECT dbid FROM pg_shdepend JOIN pg_roles ON pg_roles.oid = refobjid
            WHERE refclassid = 'pg_authid'::regclass
                AND rolname IN ('\(kept.reader)', '\(kept.vantage)')
            """
        // If databases share roles, the oldest database keeps them.
        let found = try connection.query(
            """
            SELECT current_database()::text, (SELECT count(*) FROM (\(users)) AS users
                    WHERE dbid NOT IN (0, own) AND (dbid < own OR own NOT IN (\(users)))),
                (SELECT count(*) FROM (\(users)) AS users WHERE dbid = own)
            FROM (SELECT oid AS own FROM pg_database WHERE datname = current_database()) AS here
            """
        )
        guard let database = found.text(0, 0), let others = found.integer(0, 1),
            let uses = found.integer(0, 2)
        else { throw CentralError.strange(connection.place) }
        return others == 0 ? (kept, false) : (own(of: database), uses > 0)
    }

    /// The steps that create the groups.
    var steps: [CentralStep] {
        [vantage, reader].map { role in
            CentralStep(
                unless: "\(Self.number(of: role)) IS NOT NULL",
                ["CREATE ROLE \(role) NOLOGIN"]
            )
        }
    }

    /// Takes the rights in this database from the roles of another database's central store. Grants these
    /// roles to the places.
    ///
    /// - Returns: Instructions for the owner.
    func replace(_ others: CentralRoles, _ connection: CentralConnection) throws -> [String] {
        let names = "\(others.vantage), \(others.reader)"
        for statement in [
            "REVOKE ALL ON ALL TABLES IN SCHEMA dnstempo FROM \(names)",
            "REVOKE ALL ON SCHEMA dnstempo FROM \(names)",
        ] { try connection.query(statement) }
        let found = try connection.query(
            """
            SELECT rolname::text FROM dnstempo.source JOIN pg_roles ON rolname = '\(others.prefix)' || id
            WHERE pg_has_role(pg_roles.oid, '\(others.vantage)', 'MEMBER') ORDER BY id
            """
        )
        let places = (0..<found.count).compactMap { found.text($0, 0) }
        // The names consist of a prefix and digits.
        for role in places { try connection.query("GRANT \(vantage) TO \(role)") }
        return [
            "its roles were those of another database on this server; now it has its own: grant "
                + "\(reader) to its readers, and revoke \(others.reader) from them"
        ]
            + places.map {
                "place \($0.dropFirst(others.prefix.count)) ships as \($0) as before: run REVOKE "
                    + "\(others.vantage) FROM \($0) to end its rights in the other database"
            }
    }
}
