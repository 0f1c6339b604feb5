import Foundation
import Servers
import Testing

@Suite struct MissingLibraryTests {
    @Test(
        .enabled(if: geteuid() == 0),
        arguments: [
            (transport: "tls", library: "libgnutls.so.30", package: "libgnutls30"),
            (transport: "https", library: "libnghttp2.so.14", package: "libnghttp2-14"),
        ]
    )
    func `a missing library disables its transports but not UDP`(
        transport: String,
        library: String,
        package: String
    ) async throws {
        let folder = TemporaryFolder()
        func run(_ words: [String]) async throws -> CommandOutput {
            try await Self.run(words, without: library, home: folder)
        }
        let refused = try await run(["compare", "\(transport)://127.0.0.1:9", "--no-store"])
        #expect(refused.code == 69)
        #expect(
            refused.errors == "dnstempo: \(transport): \(library) is missing: install it "
                + "(Debian: apt-get install \(package))\n"
        )
        let plain = try await run(
            ["compare", "--lab", "--rounds", "1", "-d", "a.test", "--no-store"]
        )
        #expect(plain.code == 0, "\(plain.errors)")
    }

    @Test(
        .enabled(if: geteuid() == 0),
        arguments: [
            (library: "libpsl.so.5", package: "libpsl5"),
            (library: "libsqlite3.so.0", package: "libsqlite3-0"),
        ]
    )
    func `a missing library leaves no history copy`(library: String, package: String) async throws {
        let profile = try await BrowserProfile(.firefox)
        try await profile.run(profile.visit("https://example.com/", 1))
        let refused = try await Self.run(
            ["compare", "--lab", "--domains-from", "firefox", "--yes", "--no-store"],
            without: library,
            home: profile.home
        )
        #expect(refused.code == 69)
        #expect(
            refused.errors == "dnstempo: --domains-from: \(library) is missing: install it "
                + "(Debian: apt-get install \(package))\n"
        )
        let left = try FileManager.default.contentsOfDirectory(atPath: profile.home.path)
        #expect(left.filter { !$0.hasPrefix(".") } == [])
    }

    @Test(
        .enabled(if: geteuid() == 0),
        arguments: [
            (
                words: "report postgresql://user@127.0.0.1/name", use: "a central store",
                library: "libpq.so.5", package: "libpq5"
            ),
            (
                words: "watch --lab --store new.sqlite --remote-write http://127.0.0.1:9/write",
                use: "a remote write", library: "libsnappy.so.1", package: "libsnappy1v5"
            ),
            (
                words: "watch --lab --store new.sqlite --mqtt mqtt://127.0.0.1:9", use: "--mqtt",
                library: "libmosquitto.so.1", package: "libmosquitto1"
            ),
        ]
    )
    func `a command that needs a missing library names its package`(
        words: String,
        use: String,
        library: String,
        package: String
    ) async throws {
        let folder = TemporaryFolder()
        let words = words.split(separator: " ").map(String.init)
        let refused = try await Self.run(words, without: library, home: folder)
        let name = library.prefix { $0 != "." }
        #expect(refused.code == 69)
        #expect(
            refused.errors == "dnstempo: \(use) needs \(name), which is not installed: install "
                + "\(package)\n"
        )
    }

    /// Runs the program with an empty file instead of the library. This requires root.
    static func run(
        _ words: [String],
        without library: String,
        home: TemporaryFolder
    ) async throws -> CommandOutput {
        let place = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
                .map { "/usr/lib/\($0)/\(library)" }
                .first { FileManager.default.fileExists(atPath: $0) }
        )
        return try await Program("unshare", package: "util-linux").run(
            [
                "--mount", "sh", "-c", "mount --bind /dev/null \"$0\" && exec \"$@\"", place,
                Program.dnstempo().path,
            ] + words,
            environment: Binary.environment(home: home.path).merging(["TMPDIR": home.path]) { $1 },
            in: home.path
        )
    }
}
