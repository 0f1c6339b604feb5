import Foundation
import Servers
import Testing

@Suite struct ImportTests {
    private static let list = """
        ## here

        On this machine.
        sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ

        ## crypt

        sdns://AQcAAAAAAAAADTUyLjY1LjIzNS4xMjkg5Q00RDDBkwx3fUaa0_etjz4iH3lLBOqsg95bYDmV07MdMi5kbnNjcnlwdC1jZXJ0LmRlZmZlci1kbnMuYXU

        """

    /// Creates a folder with a list, its signature and a new key. Returns the folder and the public key.
    private static func signed() async throws -> (folder: TemporaryFolder, key: String) {
        let folder = TemporaryFolder()
        try list.write(toFile: "\(folder.path)/list.md", atomically: true, encoding: .utf8)
        let make = ["-G", "-W", "-p", "key.pub", "-s", "key.sec"]
        let minisign = try Program("minisign", package: "minisign")
        try #require(await minisign.run(make, in: folder.path).code == 0)
        try await sign(in: folder, "timestamp:1790083311\tfile:list.md")
        let lines = try String(contentsOfFile: "\(folder.path)/key.pub", encoding: .utf8)
            .split(separator: "\n")
        return (folder, String(lines[1]))
    }

    private static func sign(in folder: TemporaryFolder, _ comment: String) async throws {
        let words = ["-S", "-l", "-s", "key.sec", "-m", "list.md", "-t", comment]
        let run = try await Program("minisign", package: "minisign").run(words, in: folder.path)
        try #require(run.code == 0)
    }

    private static func run(
        _ folder: TemporaryFolder,
        _ arguments: [String]
    ) async throws -> CommandOutput {
        try await Binary.run(
            ["resolvers", "import", "dnscrypt", "list.md"] + arguments,
            environment: ["XDG_CONFIG_HOME": "\(folder.path)/settings"],
            in: folder.path
        )
    }

    private static func configuration(_ folder: TemporaryFolder) -> String? {
        try? String(contentsOfFile: "\(folder.path)/settings/dnstempo/config.toml", encoding: .utf8)
    }

    @Test func `a signed list is imported, and shown afterwards`() async throws {
        let (folder, key) = try await Self.signed()
        let first = try await Self.run(folder, ["--key", key])
        let place = "\(folder.path)/settings/dnstempo/config.toml"
        #expect(
            first.output
                == "1 resolver imported into '\(place)', 1 skipped: 1 needs DNSCrypt.\n"
        )
        let text = try #require(Self.configuration(folder))
        let again = try await Self.run(folder, ["--key", key])
        #expect(
            again.output == "1 resolver unchanged in '\(place)', 1 skipped: 1 needs DNSCrypt.\n"
        )
        #expect(Self.configuration(folder) == text)
        let shown = try await Binary.run(
            ["resolvers", "show", "here"],
            environment: ["XDG_CONFIG_HOME": "\(folder.path)/settings"]
        )
        #expect(shown.output.contains("127.0.0.1") && shown.output.contains("2026-09-22"))
    }

    @Test(arguments: ["timestamp:1790083310\tfile:list.md", "file:list.md"])
    func `an older list needs --allow-older to replace a newer one`(comment: String) async throws {
        let (folder, key) = try await Self.signed()
        #expect(try await Self.run(folder, ["--key", key]).code == 0)
        let text = try #require(Self.configuration(folder))
        #expect(text.contains("# Signed at 2026-09-22T13:21:51Z\n"))
        try await Self.sign(in: folder, comment)
        let refused = try await Self.run(folder, ["--key", key])
        #expect(refused.code == 65 && refused.output.isEmpty)
        #expect(refused.errors.split(separator: "\n").count == 1)
        #expect(refused.errors.contains("2026-09-22T13:21:51Z"), "\(refused.errors)")
        #expect(refused.errors.contains("add --allow-older"))
        #expect(Self.configuration(folder) == text)
        let allowed = try await Self.run(folder, ["--key", key, "--allow-older"])
        #expect(allowed.code == 0, "\(allowed.errors)")
        #expect(Self.configuration(folder)?.contains("T13:21:51Z") == false)
        // A newer list replaces the older list without the option.
        try await Self.sign(in: folder, "timestamp:1790083312\tfile:list.md")
        #expect(try await Self.run(folder, ["--key", key]).code == 0)
        #expect(Self.configuration(folder)?.contains("# Signed at 2026-09-22T13:21:52Z") == true)
    }

    @Test func `a list that was signed under another file name is rejected`() async throws {
        let (folder, key) = try await Self.signed()
        try await Self.sign(in: folder, "timestamp:1790083311\tfile:relays.md\thashed")
        let run = try await Self.run(folder, ["--key", key, "--allow-older"])
        #expect(run.code == 65 && run.output.isEmpty)
        #expect(
            run.errors
                == "dnstempo: 'list.md' was signed as another file, 'relays.md'; get the list again,"
                + " or rename it if you want 'relays.md'\n"
        )
        #expect(Self.configuration(folder) == nil)
    }

    @Test(arguments: ["timestamp:1790083311", "a comment", "timestamp:99999999999999"])
    func `a signed list without name or time is accepted`(comment: String) async throws {
        let (folder, key) = try await Self.signed()
        try await Self.sign(in: folder, comment)
        let run = try await Self.run(folder, ["--key", key])
        #expect(run.code == 0, "\(run.errors)")
        #expect(Self.configuration(folder)?.contains("# Imported from a list: ") == true)
    }

    @Test func `--into adds resolvers to a configuration file, through a link`() async throws {
        let (folder, key) = try await Self.signed()
        let own = "# mine\nrounds = 3\n"
        try own.write(toFile: "\(folder.path)/real.toml", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/c.toml",
            withDestinationPath: "real.toml"
        )
        let run = try await Self.run(folder, ["--key", key, "--into", "c.toml"])
        #expect(run.code == 0, "\(run.errors)")
        let text = try String(contentsOfFile: "\(folder.path)/real.toml", encoding: .utf8)
        #expect(text.hasPrefix(own) && text.contains("name = \"here\""))
        #expect(Self.configuration(folder) == nil)
    }

    @Test(arguments: [
        "an byte", "a foreign signature", "the default key", "no signature", "a broken signature",
        "a broken configuration", "a key that is none",
    ])
    func `invalid input is rejected with one line, without a write`(fault: String) async throws {
        let (folder, key) = try await Self.signed()
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
        }
        var arguments = ["--key", key]
        var code: Int32 = 65
        var line = ""
        switch fault {
        case "an byte":
            try write(Self.list.replacingOccurrences(of: "machine", with: "maschine"), "list.md")
            line =
                "'list.md': its content is not the signed content; get it and its signature again"
        case "a foreign signature":
            let (other, _) = try await Self.signed()
            try FileManager.default.removeItem(atPath: "\(folder.path)/list.md.minisig")
            try FileManager.default.copyItem(
                atPath: "\(other.path)/list.md.minisig",
                toPath: "\(folder.path)/list.md.minisig"
            )
            line = "'list.md': it is signed with another key than"
        case "the default key":
            arguments = []
            line = "'list.md': it is signed with another key than E7620F1842B4E81F; if you trust"
        case "no signature":
            code = 66
            arguments += ["--signature", "none.minisig"]
            line = "there is no signature 'none.minisig'; get it from where 'list.md' is from, or"
        case "a broken signature":
            try write("nothing\n", "list.md.minisig")
            line = "'list.md.minisig': this is not a signature of minisign, which has four lines"
        case "a broken configuration":
            code = 78
            arguments += ["--into", "c.toml"]
            try write("rounds = \n", "c.toml")
            line = "c.toml:1: not valid TOML"
        default:
            code = 64
            arguments = ["--key", "abc"]
            line = "--key: this is not a public key of minisign; give 56 characters such as"
        }
        let run = try await Self.run(folder, arguments)
        #expect(run.code == code)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("dnstempo: \(line)"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(Self.configuration(folder) == nil)
    }

    @Test func `the list shows when each resolver was confirmed`() async throws {
        let run = try await Binary.run(["resolvers", "list"])
        let lines = run.output.split(separator: "\n")
        #expect(lines.first?.hasSuffix("  confirmed   operator") == true)
        #expect(lines.first { $0.hasPrefix("quad9 ") }?.contains("  2026-10-08  ") == true)
        let shown = try await Binary.run(["resolvers", "show", "mullvad"])
        #expect(shown.output.contains("out of service since 2026-11-02"))
        #expect(shown.output.contains("confirmed  2026-11-13"))
    }
}
