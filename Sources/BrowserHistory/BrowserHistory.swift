import CSQLite
import GRDB
import GRDBSQLite

/// The history of this user's browser, of which nothing is taken but the registered names of the
/// sites, by how often they were visited. The browser may be open: what is read is a private copy,
/// which is gone afterwards.
package struct BrowserHistory: Sendable {
    package let path: String

    /// Finds the history of `firefox` or `chromium`, of the profile that was used last, or at a
    /// path: a `places.sqlite`, a `History`, or the folder of a profile or of several. `environment`
    /// tells `HOME` and `XDG_CONFIG_HOME`.
    package init(_ source: String, environment: [String: String]) throws(BrowserHistoryError) {
        let home = environment["HOME"] ?? ""
        let given = environment["XDG_CONFIG_HOME"] ?? ""
        let configurations = given.hasPrefix("/") ? given : "\(home)/.config"
        let found =
            switch source {
            case "firefox": ProfileSearch.firefox(home: home)
            case "chromium": ProfileSearch.chromium(home: home, configurations: configurations)
            default: ProfileSearch.database(at: source)
            }
        guard let found else {
            throw BrowserHistoryError(
                .missing,
                ["firefox", "chromium"].contains(source)
                    ? "no history of \(source) was found; name its profile folder instead"
                    : "'\(source)' is no history and no profile folder; write firefox, chromium, "
                        + "or the path of a places.sqlite or History"
            )
        }
        path = found
    }

    /// The registered names, the one visited most first, that `isWanted` takes. The copy is made in
    /// `folder`.
    package func registeredNames(
        most count: Int,
        copyIn folder: String,
        isWanted: (String) -> Bool
    ) throws(BrowserHistoryError) -> [String] {
        let visits: [String: Int64]
        do {
            visits = try HistoryCopy.use(of: path, in: folder, Self.visits)
        } catch let error as BrowserHistoryError {
            throw error
        } catch {
            // SQLite's own words could have what was visited.
            throw BrowserHistoryError(.data, "'\(path)' cannot be read as a browser's history")
        }
        let names = visits.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.lazy.map(\.key)
            .filter(isWanted).prefix(count)
        guard !names.isEmpty else {
            throw BrowserHistoryError(.data, "'\(path)' has no public name that was visited")
        }
        return Array(names)
    }

    private static func visits(_ path: String) throws -> [String: Int64] {
        let suffixes = PublicSuffixes()
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // The file may be anybody's: nothing that it says is run.
            guard unsafe csqlite_distrust(database.sqliteConnection) == SQLITE_OK else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE)
            }
        }
        return try DatabaseQueue(path: path, configuration: configuration).read { database in
            var visits: [String: Int64] = [:]
            var known: [String: String?] = [:]
            let rows = try Row.fetchCursor(database, sql: query(database))
            while let row = try rows.next() {
                guard let address = String.fromDatabaseValue(row[0]),
                    let times = Int64.fromDatabaseValue(row[1]),
                    let host = WebHost.name(of: address)
                else { continue }
                let found = known[host] ?? suffixes.registeredName(of: host)
                known.updateValue(found, forKey: host)
                guard let name = found else { continue }
                let (sum, overflow) = visits[name, default: 0].addingReportingOverflow(times)
                visits[name] = overflow ? .max : sum
            }
            return visits
        }
    }

    /// Addresses and their visits; those that a page redirected to or embedded are hidden.
    private static func query(_ database: Database) throws -> String {
        for table in ["moz_places", "urls"] where try database.tableExists(table) {
            return """
                SELECT CAST(url AS TEXT), CAST(visit_count AS INTEGER) FROM \(table)
                WHERE visit_count > 0 AND hidden = 0
                """
        }
        throw DatabaseError(resultCode: .SQLITE_NOTADB)
    }
}

/// Why no names could be taken, in one line, which never has an address that was visited.
package struct BrowserHistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault; the exit code is sysexits.h's.
    package enum Kind: Int32, Hashable, Sendable {
        /// There is no such history, or it may not be read.
        case missing = 66
        /// It is no browser's, or has no name to ask for.
        case data = 65
        /// The private copy could not be made.
        case copy = 73
    }

    package var kind: Kind
    package var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
