import CLibraries
package import Failures
import SQLite

/// The history of this user's browser. Only the registered names of the sites are read, with the
/// number of visits. The browser may be open, because the program reads a private copy and then
/// deletes it.
package struct BrowserHistory: Sendable {
    /// The history of the profile with the latest use.
    package let path: String
    /// The histories of other profiles. They are read in order while the previous ones have no
    /// visits.
    package let otherPaths: [String]

    /// Finds the history of `firefox` or `chromium`, of browsers derived from them, or at a path.
    /// The path is a `places.sqlite`, a `History`, or a folder with one or several profiles.
    /// `environment` supplies `HOME` and `XDG_CONFIG_HOME`.
    package init(_ source: String, environment: [String: String]) throws(Failure) {
        let home = environment["HOME"] ?? ""
        let given = environment["XDG_CONFIG_HOME"] ?? ""
        let configurations = given.hasPrefix("/") ? given : "\(home)/.config"
        let found =
            switch source {
            case "firefox": ProfileSearch.firefox(home: home, configurations: configurations)
            case "chromium": ProfileSearch.chromium(home: home, configurations: configurations)
            default: ProfileSearch.databases(at: source)
            }
        guard let first = found.first else {
            throw Failure.history(
                .noInput,
                ["firefox", "chromium"].contains(source)
                    ? "no history of \(source) was found; name its profile folder instead"
                    : "'\(source)' is neither a history nor a profile folder; write firefox, "
                        + "chromium, "
                        + "or the path of a places.sqlite or History"
            )
        }
        (path, otherPaths) = (first, Array(found.dropFirst()))
    }

    /// The registered names that `isWanted` accepts, the most visited first. The copy is made in
    /// `folder`.
    ///
    /// - Throws: a ``Failure``, or a cancellation error, which also leaves no copy.
    package func visitedNames(
        copyIn folder: String,
        isWanted: (String) -> Bool
    ) throws -> [VisitedName] {
        try Self.loadLibraries()
        for path in [path] + otherPaths {
            let names = try Self.names(in: path, copyIn: folder, isWanted)
            if !names.isEmpty { return names }
        }
        let others = otherPaths.isEmpty ? "" : ", nor have the other profiles"
        throw Failure.history(.badData, "'\(path)' has no public name that was visited\(others)")
    }

    private static func names(
        in path: String,
        copyIn folder: String,
        _ isWanted: (String) -> Bool
    ) throws -> [VisitedName] {
        let visited: [String: VisitedName]
        do {
            visited = try HistoryCopy.use(of: path, in: folder, Self.visitedNames)
        } catch let error as Failure {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            // SQLite's own error text could contain visited addresses.
            throw Failure.history(.badData, "'\(path)' cannot be read as a browser's history")
        }
        return visited.values.filter { isWanted($0.name) }
            .sorted { ($1.visits, $0.name) < ($0.visits, $1.name) }
    }

    /// Loads the libraries that read the copy. The first call of a missing library would stop the
    /// program and leave the copy behind.
    private static func loadLibraries() throws(Failure) {
        for library in [clibraries_psl, clibraries_sqlite] where clibraries_load(library) == 0 {
            let advice = unsafe String(cString: clibraries_advice(library))
            throw .history(.unavailable, advice)
        }
    }

    private static func visitedNames(_ path: String) throws -> [String: VisitedName] {
        // The file may come from another user, so that SQLite must not run anything in it.
        let queue = try DatabaseQueue(path: path, access: .readWrite) { try $0.distrust() }
        return try queue.read { database in
            let tables = try Tables(of: database)
            var names = RegisteredNames()
            var visited: [String: VisitedName] = [:]
            try database.forEachRow(tables.pages) { row in
                try Task.checkCancellation()
                guard let name = names.name(of: try row.optionalText(0)),
                    let times = try row.optionalInteger(1)
                else { return }
                visited[name, default: VisitedName(name)].add(visits: times)
            }
            try database.forEachRow(tables.days) { row in
                try Task.checkCancellation()
                guard let name = names.name(of: try row.optionalText(0)),
                    let day = try row.optionalInteger(1), let last = try row.optionalInteger(2)
                else { return }
                visited[name]?.add(day: day, last: last)
            }
            return visited
        }
    }
}

/// A registered name in a history.
package struct VisitedName: Hashable, Sendable {
    package let name: String
    /// The number of visits of its pages, as the browser counts them.
    package private(set) var visits: Int64 = 0
    /// The time of the last visit, in seconds since 1970; `nil` if it is unknown.
    package private(set) var last: Int64?
    private var daysVisited: Set<Int64> = []

    fileprivate init(_ name: String) { self.name = name }

    /// The number of days (UTC) with a visit, at least one.
    package var days: Int { max(1, daysVisited.count) }

    fileprivate mutating func add(visits times: Int64) {
        let (sum, overflow) = visits.addingReportingOverflow(times)
        visits = overflow ? .max : sum
    }

    fileprivate mutating func add(day: Int64, last moment: Int64) {
        daysVisited.insert(day)
        last = max(last ?? moment, moment)
    }
}

/// The registered names of addresses. Each host is looked up once.
private struct RegisteredNames: ~Copyable {
    private let suffixes = PublicSuffixes()
    private var known: [String: String?] = [:]

    mutating func name(of address: String?) -> String? {
        guard let address, let host = WebHost.name(of: address) else { return nil }
        let found = known[host] ?? suffixes.registeredName(of: host)
        known.updateValue(found, forKey: host)
        return found
    }
}

/// The queries for the tables of a browser.
private struct Tables {
    /// The addresses with their numbers of visits. Addresses that a page embedded or redirected to
    /// are hidden.
    let pages: String
    /// The addresses, the days of their visits and the last second of each day's visits.
    let days: String

    init(of database: Database) throws {
        func exists(_ table: String) throws -> Bool {
            let query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
            return try database.first(query, [table]) { _ in true } ?? false
        }
        let isFirefox = try exists("moz_places")
        guard try isFirefox || exists("urls") else { throw DatabaseError.mismatch("no pages") }
        let table = isFirefox ? "moz_places" : "urls"
        pages = """
            SELECT CAST(url AS TEXT), CAST(visit_count AS INTEGER) FROM \(table)
            WHERE visit_count > 0 AND hidden = 0
            """
        // Microseconds since 1970 in Firefox, since 1601 in Chromium.
        let (visits, page, moment, epoch) =
            isFirefox
            ? ("moz_historyvisits", "place_id", "visit_date", Int64(0))
            : ("visits", "visits.url", "visit_time", 11_644_473_600)
        let seconds = "(CAST(\(moment) AS INTEGER) / 1000000 - \(epoch))"
        days = """
            SELECT CAST(\(table).url AS TEXT), \(seconds) / 86400 AS day, max(\(seconds))
            FROM \(table) JOIN \(visits) ON \(page) = \(table).id
            WHERE hidden = 0 GROUP BY \(table).id, day
            """
    }
}

extension Failure {
    /// The reason why no names could be read, in one line. It never contains a visited address.
    static func history(_ status: ExitStatus, _ description: String) -> Failure {
        Failure(status, "--domains-from: \(description)")
    }
}
