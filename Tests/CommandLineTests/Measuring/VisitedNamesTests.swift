import Foundation
import Servers
import Testing

/// Query names from the user's browser history.
@Suite struct VisitedNamesTests {
    /// A text in the addresses of visited pages. It must not appear in any output.
    private static let secret = "S3cretPath"

    private func compare(
        _ profile: BrowserProfile,
        from source: String,
        _ more: [String] = ["--yes"]
    ) async throws -> CommandOutput {
        try await Command.run(
            ["compare", "--lab", "meadow", "--rounds", "1", "--format", "json"]
                + ["--domains-from", source] + more,
            environment: ["HOME": profile.home.path, "TMPDIR": profile.home.path]
        )
    }

    private func names(_ run: CommandOutput) throws -> [String] {
        try #require(run.code == 0, "\(run.errors)")
        let plan = try #require(try JSON(run.output)["plan"] as? [String: Any])
        return try #require(plan["names"] as? [String])
    }

    private func fill(_ profile: BrowserProfile) async throws {
        let visits = [
            profile.visit("https://www.example.co.uk/\(Self.secret)?a=1", 5),
            profile.visit("https://shop.example.co.uk/", 4),
            profile.visit("https://example.com/", 8),
            profile.visit("http://192.0.2.1/\(Self.secret)", 99),
            profile.visit("http://wiki.corp/", 99),
            profile.visit("http://localhost:8080/", 99),
            profile.visit("https://never.org/", 0),
            profile.visit("https://frame.net/", 50, hidden: true),
        ]
        try await profile.run(visits.joined())
    }

    @Test(arguments: BrowserProfile.Browser.allCases)
    func `an as-found list is drawn by visit days, without the last day's names`(
        browser: BrowserProfile.Browser
    ) async throws {
        let profile = try await BrowserProfile(browser)
        let sites = (1...60).map { "https://n\($0).org/" }
        try await profile.run(
            sites.enumerated().map { index, site in
                // Every third site was visited just now. Of the other sites, every second one was visited on
                // twelve days.
                let days = index % 3 == 0 ? [0, 5] : index % 2 == 0 ? Array(2...13) : [3]
                return profile.visit(site, 3) + profile.visited(site, daysAgo: days)
            }
            .joined()
        )
        let run = try await Command.run(
            ["compare", "--lab", "meadow", "--rate", "200", "--format", "json"]
                + ["--series", "as-found", "--names", "20", "--seed", "5"]
                + ["--domains-from", browser.rawValue, "--yes"],
            environment: ["HOME": profile.home.path, "TMPDIR": profile.home.path]
        )
        let names = try names(run)
        #expect(names.count == 20)
        let sought = names.compactMap { Int($0.drop { !$0.isNumber }.prefix { $0.isNumber }) }
        #expect(sought.allSatisfy { ($0 - 1) % 3 != 0 })
        // Twenty of the other forty sites have twelve days of visits, and twenty have one.
        #expect(sought.count { ($0 - 1) % 2 == 0 } >= 15)
    }

    @Test(arguments: BrowserProfile.Browser.allCases, ["", "folder", "file"])
    func `names of registered domains are sorted by their visits`(
        browser: BrowserProfile.Browser,
        way: String
    ) async throws {
        let profile = try await BrowserProfile(browser)
        try await fill(profile)
        let source =
            switch way {
            case "folder": profile.folder
            case "file": profile.database
            default: browser.rawValue
            }
        let before = try Data(contentsOf: URL(fileURLWithPath: profile.database))
        let run = try await compare(profile, from: source)
        #expect(try names(run) == ["example.co.uk", "example.com"])
        #expect(!(run.output + run.errors).contains(Self.secret))
        // The browser's file is unchanged. No new files are next to it, and no copy is left.
        #expect(try Data(contentsOf: URL(fileURLWithPath: profile.database)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: profile.folder).count == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: profile.home.path)
        #expect(left.filter { !$0.hasPrefix(".") } == [])
    }

    @Test(arguments: BrowserProfile.Browser.allCases)
    func `an open browser's history is read`(browser: BrowserProfile.Browser) async throws {
        let profile = try await BrowserProfile(browser)
        try await fill(profile)
        try await profile.whileOpen(profile.visit("https://www.example.net/", 70)) {
            let run = try await compare(profile, from: browser.rawValue)
            #expect(try names(run) == ["example.net", "example.co.uk", "example.com"])
        }
    }

    @Test func `only the ten most visited names are queried and stored`() async throws {
        let profile = try await BrowserProfile(.firefox)
        try await profile.run(
            (1...30).map { profile.visit("https://a.site\($0).org/\(Self.secret)", $0) }.joined()
        )
        let store = profile.home.file("s.sqlite")
        let run = try await compare(profile, from: "firefox", ["--yes", "--store", store])
        #expect(try names(run) == (21...30).reversed().map { "site\($0).org" })
        let stored = try await StoredFile(store).query("SELECT DISTINCT name FROM question")
        #expect(stored.split(separator: "\n").count == 10)
        for file in ["s.sqlite", "s.sqlite-wal"] {
            #expect(profile.home.read(file).firstRange(of: Array(Self.secret.utf8)) == nil)
        }
    }

    @Test func `an empty profile is skipped, and the profile before it is read`() async throws {
        let profile = try await BrowserProfile(.firefox)
        let files = FileManager.default
        let older = profile.home.file(".config/mozilla/firefox/cd34.default")
        try files.createDirectory(atPath: older, withIntermediateDirectories: true)
        try files.copyItem(atPath: profile.database, toPath: "\(older)/places.sqlite")
        // Both profiles are empty.
        let none = try await compare(profile, from: "firefox")
        #expect(none.code == 65)
        #expect(
            none.errors.hasSuffix(
                "has no public name that was visited, nor have the other profiles\n"
            )
        )
        try files.removeItem(atPath: "\(older)/places.sqlite")
        let empty = try Data(contentsOf: URL(fileURLWithPath: profile.database))
        try await profile.run(profile.visit("https://www.example.net/", 7))
        try files.copyItem(atPath: profile.database, toPath: "\(older)/places.sqlite")
        try empty.write(to: URL(fileURLWithPath: profile.database))
        try files.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)],
            ofItemAtPath: "\(older)/places.sqlite"
        )
        let run = try await compare(profile, from: "firefox")
        #expect(try names(run) == ["example.net"])
    }

    @Test func `reading a history without a terminal requires --yes`() async throws {
        let profile = try await BrowserProfile(.firefox)
        try await fill(profile)
        let run = try await compare(profile, from: "firefox", [])
        #expect(run.code == 64)
        #expect(run.errors.hasPrefix("dnstempo: --domains-from reads your browser's history"))
        #expect(run.errors.contains("--yes") && run.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [(answer: "y", code: "0"), ("n", "64"), ("", "64")])
    func `a user at a terminal is asked for consent`(answer: String, code: String) async throws {
        let profile = try await BrowserProfile(.firefox)
        try await fill(profile)
        // script(1) gives the program a terminal.
        let program = try Program.dnstempo().path
        let command =
            "'\(program)' compare --lab meadow --rounds 1 -q --domains-from firefox; echo code=$?"
        let run = try await Program("script", package: "bsdutils").run(
            ["-qec", command, "/dev/null"],
            environment: Binary.environment(home: profile.home.path),
            input: "\(answer)\n"
        )
        #expect(run.output.contains("Go on? [y/N]"), "\(run.output)")
        #expect(run.output.contains("code=\(code)"), "\(run.output)")
    }

    @Test(arguments: [(source: "firefox", code: Int32(66)), ("chromium", 66), ("/nowhere", 66)])
    func `the error names the missing history`(source: String, code: Int32) async throws {
        let home = TemporaryFolder()
        let run = try await Command.run(
            ["compare", "--lab", "--domains-from", source, "--yes"],
            environment: ["HOME": home.path]
        )
        #expect(run.code == code)
        #expect(run.errors.contains(source) && run.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["no database", "", "SQLite format 3\0 and then not"])
    func `a file that is not a history is rejected`(text: String) async throws {
        let folder = TemporaryFolder()
        let file = try folder.write(text, to: "History")
        let run = try await Command.run(["compare", "--lab", "--domains-from", file, "--yes"])
        #expect(run.code == 65)
        #expect(run.errors.contains(file) && run.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [["-d", "example.com"], ["--domains", "names.txt"]])
    func `other names together with the history are rejected`(others: [String]) async throws {
        let run = try await Command.run(
            ["compare", "--lab", "--domains-from", "firefox", "--yes"] + others
        )
        #expect(run.code == 64 && run.errors.contains(" and --domains-from cannot be combined"))
    }

    @Test func `a schedule requires --yes to read a history`() async throws {
        let profile = try await BrowserProfile(.firefox)
        let arguments = ["schedule", "print", "127.0.0.1", "--domains-from", profile.folder]
        let refused = try await Command.run(arguments)
        #expect(refused.code == 64 && refused.errors.contains("--yes"))
        let agreed = try await Command.run(arguments + ["--yes"])
        #expect(agreed.code == 0 && agreed.output.contains("--yes"))
    }

    @Test func `the history of a real Chromium is read`() async throws {
        let folder = TemporaryFolder()
        let (page, log) = (folder.file("page"), folder.file("log"))
        try FileManager.default.createDirectory(atPath: page, withIntermediateDirectories: false)
        let port = try Loopback.freePort()
        let server = try ChildProcess(
            Program("python3", package: "python3"),
            ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", page, "\(port)"],
            output: log,
            errors: log
        )
        try await BrowserProfile.wait(for: "Serving", in: log)
        // Every name leads to the test's page, so that no packet leaves loopback.
        for address in ["http://www.example.co.uk/?\(Self.secret)", "http://localhost:\(port)/"] {
            let run = try await Program("chromium", package: "chromium").run(
                [
                    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                    "--disable-background-networking", "--disable-component-update",
                    "--disable-sync", "--user-data-dir=\(folder.path)/profile",
                    "--host-resolver-rules=MAP * 127.0.0.1:\(port)", "--dump-dom", address,
                ],
                environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path],
                limit: .seconds(120)
            )
            #expect(run.code == 0, "\(run.errors)")
        }
        await server.stop()
        let run = try await Command.run(
            ["compare", "--lab", "meadow", "--rounds", "1", "--format", "json", "--yes"]
                + ["--domains-from", folder.file("profile")]
        )
        #expect(try names(run) == ["example.co.uk"])
    }
}
