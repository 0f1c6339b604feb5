import Foundation
import Servers
import Testing

/// A browser's profile in its own folder, with the tables of the real browser.
struct BrowserProfile {
    enum Browser: String, CaseIterable, Sendable {
        case firefox, chromium
    }

    let browser: Browser
    /// The user's home folder. It contains the profile at the browser's usual path.
    let home: TemporaryFolder

    init(_ browser: Browser) async throws {
        self.browser = browser
        home = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await run(schema)
    }

    var folder: String {
        switch browser {
        case .firefox: home.file(".mozilla/firefox/ab12cd34.default-esr")
        case .chromium: home.file(".config/chromium/Default")
        }
    }

    var database: String { "\(folder)/\(browser == .firefox ? "places.sqlite" : "History")" }

    /// Runs SQL in SQLite's own shell.
    func run(_ sql: String) async throws {
        let shell = try await Program("sqlite3", package: "sqlite3")
            .run(["-batch", "-bail", database, sql])
        try #require(shell.code == 0, "\(shell.errors)")
    }

    /// Returns a statement that adds a visited page. `times` is the number of visits.
    func visit(_ address: String, _ times: Int, hidden: Bool = false) -> String {
        let hidden = hidden ? 1 : 0
        switch browser {
        case .firefox:
            return """
                INSERT INTO moz_places (url, visit_count, hidden, guid)
                VALUES ('\(address)', \(times), \(hidden), hex(randomblob(6)));
                """
        case .chromium:
            return """
                INSERT INTO urls (url, title, visit_count, hidden, last_visit_time)
                VALUES ('\(address)', 'secret title', \(times), \(hidden), 13400000000000000);
                """
        }
    }

    /// Returns statements that add visits of a page. `daysAgo` contains the ages of the visits in days.
    func visited(_ address: String, daysAgo: [Int]) -> String {
        let (table, visits, page, moment, epoch) =
            browser == .firefox
            ? ("moz_places", "moz_historyvisits", "place_id", "visit_date", 0)
            : ("urls", "visits", "url", "visit_time", 11_644_473_600)
        return daysAgo.map { days in
            """
            INSERT INTO \(visits) (\(page), \(moment))
            SELECT id, (strftime('%s', 'now') + \(epoch) - 86400 * \(days)) * 1000000
            FROM \(table) WHERE url = '\(address)';
            """
        }
        .joined(separator: "\n")
    }

    /// The tables that the program reads, as Firefox 128 and Chromium 156 create them.
    private var schema: String {
        switch browser {
        case .firefox:
            """
            CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR,
                rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0,
                hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL,
                frecency INTEGER DEFAULT -1 NOT NULL, last_visit_date INTEGER, guid TEXT,
                foreign_count INTEGER DEFAULT 0 NOT NULL, url_hash INTEGER DEFAULT 0 NOT NULL,
                description TEXT, preview_image_url TEXT, site_name TEXT, origin_id INTEGER,
                recalc_frecency INTEGER NOT NULL DEFAULT 0, alt_frecency INTEGER,
                recalc_alt_frecency INTEGER NOT NULL DEFAULT 0);
            CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER,
                place_id INTEGER, visit_date INTEGER, visit_type INTEGER, session INTEGER,
                source INTEGER DEFAULT 0 NOT NULL, triggeringPlaceId INTEGER);
            """
        case .chromium:
            """
            CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
            CREATE TABLE urls(id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR,
                title LONGVARCHAR, visit_count INTEGER DEFAULT 0 NOT NULL,
                typed_count INTEGER DEFAULT 0 NOT NULL, last_visit_time INTEGER NOT NULL,
                hidden INTEGER DEFAULT 0 NOT NULL);
            CREATE TABLE visits(id INTEGER PRIMARY KEY AUTOINCREMENT, url INTEGER NOT NULL,
                visit_time INTEGER NOT NULL, from_visit INTEGER);
            """
        }
    }

    /// Runs `body` while another process keeps the database open and locked, like a browser. The other
    /// process has written the changes of `sql` into the write-ahead log, but not into the database file.
    func whileOpen(_ sql: String, _ body: () async throws -> Void) async throws {
        let script = """
            import signal, sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("PRAGMA locking_mode=EXCLUSIVE")
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA wal_autocheckpoint=0")
            database.executescript(sys.argv[2])
            database.execute("BEGIN EXCLUSIVE")
            print("open", flush=True)
            signal.pause()
            """
        let process = try ChildProcess(
            Program("python3", package: "python3"),
            ["-c", script, database, sql],
            output: home.file("output"),
            errors: home.file("output")
        )
        do {
            try await Self.wait(for: "open", in: home.file("output"))
            try await body()
        } catch {
            await process.stop()
            throw error
        }
        await process.stop()
    }

    /// Waits until the output of a program contains a word.
    static func wait(for word: String, in file: String) async throws {
        let isWritten = try await eventually {
            (try? String(contentsOfFile: file, encoding: .utf8))?.contains(word) == true
        }
        try #require(isWritten)
    }
}
