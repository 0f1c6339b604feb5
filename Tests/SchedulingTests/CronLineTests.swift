import Failures
import Fixtures
import Servers
import Testing

@testable import Scheduling

struct CronLineTests {
    @Test func `paths and arguments are quoted for cron and sh`() throws {
        let entry = try Example.entry(
            binary: "/opt/my tools/100%/dnstempo",
            arguments: ["sample", "--notify", "/home/o'neil/it's", "-d", #"a\b"#, ""],
            configurationHome: "/etc/50%"
        )
        #expect(
            try CronLine.text(entry) == #"""
                */5 * * * * XDG_CONFIG_HOME='/etc/50\%' '/opt/my tools/100\%/dnstempo' sample \#
                --notify '/home/o'\''neil/it'\''s' -d 'a\''b' ''
                """#
        )
    }

    @Test(arguments: [
        (1, "* * * * *"), (2, "*/2 * * * *"), (5, "*/5 * * * *"), (30, "*/30 * * * *"),
        (60, "0 * * * *"), (120, "0 */2 * * *"), (720, "0 */12 * * *"), (1440, "0 0 * * *"),
    ])
    func `each interval has its five fields of cron`(minutes: Int, fields: String) throws {
        #expect(try Example.interval(minutes).cronFields == fields)
    }

    @Test(arguments: 0..<200)
    func `a written command is read back unchanged`(seed: UInt64) throws {
        let entry = try Example.entry(
            arguments: Self.words(seed: seed),
            configurationHome: seed % 2 == 0 ? Example.wild : nil
        )
        let line = try CronLine.text(entry)
        #expect(CronLine.command(of: line, at: entry.heading.slots) == entry.command)
    }

    @Test func `sh gets the original words after cron removes backslashes`() async throws {
        let words = (0..<100).flatMap(Self.words)
        let text = words.map(CronLine.quoted).joined(separator: " ")
        // Like cron, this removes only the backslash before a percent sign.
        let command = text.split(separator: #"\%"#, omittingEmptySubsequences: false)
            .joined(separator: "%")
        let output = try await Program("sh", package: "dash")
            .run(["-c", "printf '%s\\n' \(command)"])
        #expect(output.output == words.map { "\($0)\n" }.joined())
    }

    @Test(arguments: [
        "", "0 3 * * * /bin/x", "*/5 * * * *", "*/5 * * * * dnstempo sample",
        "*/5 * * * * /x 'open", "*/5 * * * * /x; rm", "*/5 * * * * /x > y", "*/5 * * * * /x $y",
        "*/5 * * * * /x a%b", "#*/5 * * * * /x", "*/5 * * * * /x \\", "*/5 * * * * A=b /x",
    ])
    func `a line with other syntax is not recognised`(line: String) throws {
        #expect(CronLine.command(of: line, at: .every(try Example.interval(5))) == nil)
    }

    @Test func `a command that is too long for cron is rejected`() throws {
        let longest = String(repeating: "x", count: 998 - "/usr/local/bin/dnstempo ".utf8.count)
        let line = try CronLine.text(Example.entry(arguments: [longest]))
        #expect(line.utf8.count == "*/5 * * * * ".utf8.count + 998)
        let error = #expect(throws: Failure.self) {
            try CronLine.text(Example.entry(arguments: [longest + "x"]))
        }
        #expect(
            error?.description == """
                the command has 999 bytes and cron takes 998: move options into a campaign file \
                or the configuration, or use --systemd
                """
        )
    }

    @Test(arguments: [
        ("/a\nb", "'/a?b' has a newline in it, which a schedule cannot contain; rename it"),
        (
            "/a\u{7}",
            "'/a?' has a control character in it, which a schedule cannot contain; rename it"
        ),
        ("a", "'a' is not an absolute path"),
        ("", "'' is not an absolute path"),
    ])
    func `paths that a crontab line cannot contain are rejected`(path: String, message: String) {
        let error = #expect(throws: Failure.self) { try Example.entry(binary: path) }
        #expect(error?.description == message)
    }

    /// Returns random words with characters that have a special meaning for cron, sh or systemd.
    static func words(seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        let characters = Array(#"a/b'"\%$ `;&|<>(){}[]*?~#!=é"#)
        return (0..<Int.random(in: 1...6, using: &random)).map { _ in
            String(
                (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                    characters.randomElement(using: &random)
                }
            )
        }
    }
}
