import Foundation
import Servers
import Testing

/// SIGHUP to a watch, which then reads its files again.
@Suite struct WatchReloadTests {
    /// Runs `body` while a watch runs with the configuration `text`. `body` gets a function `write`, which
    /// replaces the configuration.
    private func withConfigured(
        _ text: String,
        _ arguments: [String],
        _ body: (WatchedLines, _ write: (String) throws -> Void) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let write: (String) throws -> Void = { try folder.write($0, to: "dnstempo/config.toml") }
        try write(text)
        try await Binary.withWatch(
            arguments,
            environment: ["XDG_CONFIG_HOME": folder.path]
        ) { try await body($0, write) }
    }

    private func vantages(_ watch: WatchedLines) async throws -> [String] {
        try await StoredFile(watch.folder.file("s.sqlite"))
            .query(
                "SELECT vantage.name FROM run JOIN vantage ON vantage.id = vantage ORDER BY run.id"
            )
            .split(separator: "\n").map(String.init)
    }

    @Test func `a changed configuration applies from the next round on`() async throws {
        let arguments = ["--lab", "meadow", "--store", "s.sqlite"]
        try await withConfigured("vantage = \"attic\"\n", arguments) { watch, write in
            try await watch.wait { $0.stored.count >= 2 }
            try write("vantage = \"cellar\"\n")
            watch.process.send(signal: SIGHUP)
            try await watch.wait { !$0.errors.isEmpty }
            #expect(watch.errors == ["dnstempo: the settings were read again"])
            let count = watch.stored.count
            try await watch.wait { $0.stored.count >= count + 3 }
            #expect(try await vantages(watch) == ["attic", "cellar"])
            #expect(watch.stored == Array(1...watch.stored.count))
        }
    }

    @Test func `a watch of a browser's names reloads its settings at each hang-up`() async throws {
        let profile = try await BrowserProfile(.firefox)
        try await profile.run(profile.visit("https://www.example.net/", 7))
        let arguments = ["--lab", "meadow", "--domains-from", profile.database, "--yes"]
        try await Binary.withRunning(
            ["watch", "--rate", "100", "--interval", "50ms", "--store", "s.sqlite"] + arguments
        ) { process, folder in
            let watch = WatchedLines(process: process, folder: folder)
            for count in 1...2 {
                try await watch.wait { !$0.stored.isEmpty }
                process.send(signal: SIGHUP)
                try await watch.wait { $0.errors.count == count }
            }
            process.send(signal: SIGTERM)
            #expect(await process.end() == .code(0))
            #expect(watch.errors.allSatisfy { $0 == "dnstempo: the settings were read again" })
        }
    }

    @Test func `a watch reads its settings again before the next round`() async throws {
        let arguments = ["--lab", "meadow", "--store", "s.sqlite", "--interval", "1d"]
        try await withConfigured("", arguments) { watch, write in
            try await watch.wait { $0.stored == [1] }
            try write("vantage = \"cellar\"\n")
            watch.process.send(signal: SIGHUP)
            try await watch.wait { !$0.errors.isEmpty }
            #expect(watch.stored == [1])
        }
    }

    @Test func `a broken configuration is reported, and the old settings stay`() async throws {
        let arguments = ["--lab", "meadow", "--store", "s.sqlite"]
        try await withConfigured("vantage = \"attic\"\n", arguments) { watch, write in
            try await watch.wait { $0.stored.count >= 1 }
            try write("vantage = \n")
            watch.process.send(signal: SIGHUP)
            try await watch.wait { !$0.errors.isEmpty }
            let count = watch.stored.count
            try await watch.wait { $0.stored.count >= count + 3 }
            #expect(watch.errors.count == 1)
            let error = try #require(watch.errors.first)
            #expect(error.contains("config.toml:1"))
            #expect(error.hasSuffix("; going on with the old settings"))
            #expect(try await vantages(watch) == ["attic"])
        }
    }

    /// Starts a watch of the system's resolver, with an /etc/resolv.conf from `files`. This requires root.
    private func watchOfSystem(in files: TemporaryFolder) throws -> WatchedLines {
        try files.write("nameserver 127.0.0.77\n", to: "resolv.conf")
        let watch =
            "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\" watch system -d example.com "
            + "--rate 20 --interval 150ms --store s.sqlite"
        let process = try Program("unshare", package: "util-linux").start(
            ["--mount", "sh", "-c", watch, files.file("resolv.conf"), Program.dnstempo().path],
            environment: Binary.environment(home: files.path).merging([
                "XDG_CONFIG_HOME": files.path
            ]) { $1 },
            in: files.path,
            files: files
        )
        return WatchedLines(process: process, folder: files)
    }

    private static func canMount() -> Bool { geteuid() == 0 }

    private static let isNew = "dnstempo: system is now 127.0.0.78:53, was 127.0.0.77:53"

    private func changeResolver(in files: TemporaryFolder) throws {
        let file = try #require(FileHandle(forWritingAtPath: files.file("resolv.conf")))
        try file.write(contentsOf: Data("nameserver 127.0.0.78\n".utf8))
    }

    /// The lines on standard error, except the lines about a round that began on another network.
    private func told(_ lines: WatchedLines) -> [String] {
        let network = "dnstempo: this machine is on another network from round "
        return lines.errors.filter { !$0.hasPrefix(network) }
    }

    @Test(.enabled(if: WatchReloadTests.canMount()))
    func `a new resolver of the machine is queried instead of the old one`() async throws {
        let files = TemporaryFolder()
        let lines = try watchOfSystem(in: files)
        try await lines.wait { $0.stored.count >= 2 }
        try changeResolver(in: files)
        try await lines.wait { !$0.errors.isEmpty }
        let count = lines.stored.count
        try await lines.wait { $0.stored.count >= count + 3 }
        lines.process.send(signal: SIGTERM)
        #expect(await lines.process.end() == .code(0))
        #expect(told(lines) == [Self.isNew])
        #expect(lines.errors.count <= 2)
        let asked = try await StoredFile(files.file("s.sqlite"))
            .query("SELECT DISTINCT address FROM endpoint ORDER BY id")
        #expect(asked == "127.0.0.77:53\n127.0.0.78:53\n")
    }

    @Test(.enabled(if: WatchReloadTests.canMount()))
    func `a new resolver that cannot be used yet is queried later`() async throws {
        let files = TemporaryFolder()
        let lines = try watchOfSystem(in: files)
        try await lines.wait { $0.stored.count >= 1 }
        try files.write("vantage = \n", to: "dnstempo/config.toml")
        try changeResolver(in: files)
        try await lines.wait { !told($0).isEmpty }
        let count = lines.stored.count
        try await lines.wait { $0.stored.count >= count + 3 }
        try files.write("", to: "dnstempo/config.toml")
        try await lines.wait { told($0).count > 1 }
        lines.process.send(signal: SIGTERM)
        #expect(await lines.process.end() == .code(0))
        let all = told(lines)
        #expect(all.first?.hasSuffix("; going on with the old settings") == true, "\(all)")
        #expect(all.dropFirst() == [Self.isNew])
    }

    @Test func `a hang-up ends a command that has nothing to save`() async throws {
        let (asked, announce) = AsyncStream<Void>.makeStream()
        try await withResponder { _ in
            announce.yield()
            return []
        } _: { responder in
            let bootstrap = "\(responder.endpoint)"
            try await Binary.withRunning(
                ["compare", "tls://dns.example", "--bootstrap", bootstrap, "--no-store"]
            ) { process, _ in
                for await _ in asked { break }
                process.send(signal: SIGHUP)
                #expect(await process.end() == .signal(SIGHUP))
            }
        }
    }
}
