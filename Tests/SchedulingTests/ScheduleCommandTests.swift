import Foundation
import Servers
import Testing

struct ScheduleCommandTests {
    @Test(arguments: [
        nil, "", "0 3 * * * backup\n", "0 3 * * * backup", "a\r\nb\r\n", "\u{feff}x\n\n",
    ])
    func `a crontab changes only between the markers`(before: String?) async throws {
        let sandbox = try ScheduleSandbox()
        if let before { try sandbox.folder.write(before, to: "tab") }
        let first = try await sandbox.run("install", "--every", "10m", "127.0.0.1")
        #expect(first.code == 0)
        #expect(first.errors == "")
        #expect(first.output.hasPrefix("Installed the schedule 'default': a round every 10m"))
        let installed = try #require(sandbox.tab)
        #expect(installed.starts(with: (before ?? "").utf8))

        let again = try await sandbox.run("install", "--every", "10m", "127.0.0.1")
        #expect(again.output.hasPrefix("Replaced the schedule 'default'"))
        #expect(sandbox.tab == installed)

        let other = try await sandbox.run("install", "--every", "1h", "127.0.0.1")
        #expect(other.output.hasPrefix("Replaced the schedule 'default' (it was every 10m)"))
        #expect(sandbox.tab != installed)

        let removed = try await sandbox.run("remove")
        #expect(removed.output == "Removed the schedule 'default'.\n")
        #expect(sandbox.tab == before.map { Array($0.utf8) })
    }

    @Test func `an endless crontab is rejected and kept`() async throws {
        let sandbox = try ScheduleSandbox(crontab: "while :; do echo '0 3 * * * backup'; done")
        let output = try await sandbox.run("install", "127.0.0.1")
        #expect(output.code == 74)
        #expect(output.errors == "dnstempo: 'crontab' was killed: it wrote more than 1 MB\n")
    }

    @Test func `the line has absolute paths and the options for a round`() async throws {
        let sandbox = try ScheduleSandbox()
        try sandbox.folder.write("example.com\n", to: "names.txt")
        _ = try await sandbox.run(
            "install",
            "here=127.0.0.1:5311",
            "--domains",
            "names.txt",
            "--store",
            "my store",
            "--splay",
            "30s",
            "--timeout",
            "2s"
        )
        let home = sandbox.folder.path
        let line = String(decoding: sandbox.tab ?? [], as: UTF8.self).split(separator: "\n")[1]
        #expect(
            try line == """
                */5 * * * * XDG_CONFIG_HOME=\(home)/.config \(Program.dnstempo().path) sample -q \
                --store '\(home)/my store' --schedule default --splay 30s \
                --allow-net 127.0.0.0/8,::1/128 here=127.0.0.1:5311 --domains \
                \(home)/names.txt --timeout 2s
                """
        )
    }

    @Test(arguments: [
        ("weekly", "0 7 * * 1", "week"), ("monthly", "0 7 1 * *", "month"),
    ])
    func `a digest has a schedule of its own`(
        word: String,
        fields: String,
        over: String
    ) async throws {
        let sandbox = try ScheduleSandbox()
        try sandbox.addProgram("sendmail", "cat > /dev/null")
        let home = sandbox.folder.path
        _ = try await sandbox.run("install", "127.0.0.1")
        let installed = try await sandbox.run(
            "install",
            "--digest",
            word,
            "--mail",
            "me@example.com",
            "-q",
            "-o",
            "page.html"
        )
        #expect(installed.errors == "")
        let store = "\(home)/.local/share/dnstempo/dnstempo.sqlite"
        #expect(
            installed.output
                == "Installed the schedule 'digest': a \(word) digest, by cron, of \(store).\n"
        )
        let lines = String(decoding: sandbox.tab ?? [], as: UTF8.self).split(separator: "\n")
        #expect(
            try lines[4] == """
                \(fields) XDG_CONFIG_HOME=\(home)/.config \(Program.dnstempo().path) digest --store \
                \(store) --over \(over) --mail me@example.com -q -o \(home)/page.html
                """
        )
        let status = try await sandbox.run("status")
        #expect(status.output.contains("digest: \(word) digest, by cron"), "\(status.output)")
        #expect(status.output.contains("default: every 5m, by cron"))
        _ = try await sandbox.run("remove", "--name", "digest")
        #expect(!String(decoding: sandbox.tab ?? [], as: UTF8.self).contains("digest"))
    }

    @Test(arguments: [
        (["--digest", "daily"], "choose weekly or monthly"),
        (["--digest", "weekly", "--every", "5m"], "--digest and --every cannot be combined"),
        (["--digest", "weekly", "--splay", "5s"], "--digest and --splay cannot be combined"),
        (["--digest", "weekly", "--over", "month"], "leave out --over, --since and --until"),
        (["--digest", "weekly", "a.sqlite"], "name it with --store, and no file"),
        (["--digest", "weekly", "--mail", "a b"], "--mail: 'a b' is not one address"),
        (["--digest", "weekly", "--objective", "fast"], "--objective"),
        (["--digest", "weekly", "--udp"], "Unknown option '--udp'"),
    ])
    func `a digest rejects options of rounds`(options: [String], message: String) async throws {
        let sandbox = try ScheduleSandbox()
        let output = try await sandbox.run(["install"] + options)
        #expect(output.code == 64)
        #expect(output.errors.contains(message), "\(output.errors)")
        #expect(sandbox.tab == nil)
    }

    @Test func `the file of names in the configuration is found from any folder`() async throws {
        let sandbox = try ScheduleSandbox()
        try sandbox.folder.write("example.com\n", to: "names.txt")
        try sandbox.folder.write("domains = \"names.txt\"\n", to: ".config/dnstempo/config.toml")
        let output = try await sandbox.run("print", "127.0.0.1")
        #expect(output.code == 0, "\(output.errors)")
        let words = " --domains \(sandbox.folder.path)/names.txt 127.0.0.1"
        #expect(output.output.contains(words), "\(output.output)")
    }

    @Test(arguments: [
        (["--allow-net", "0.0.0.0/0,::/0"], "--allow-net 127.0.0.0/8,::1/128 127.0.0.1"),
        (["--allow-net=127.0.0.0/16"], "--allow-net=127.0.0.0/16 127.0.0.1"),
    ])
    func `the line keeps the allowed networks of the environment`(
        options: [String],
        words: String
    ) async throws {
        let sandbox = try ScheduleSandbox()
        let output = try await sandbox.run(["print"] + options + ["127.0.0.1"])
        #expect(output.code == 0, "\(output.errors)")
        #expect(output.output.contains(words), "\(output.output)")
    }

    @Test(arguments: [
        (["--every", "7m"], 64, "the nearest that cron has is 6m"),
        (["--every", "x"], 64, "--every: 'x' is not a duration"),
        (["--splay", "5m"], 64, "--splay 5m: a round would begin in the next slot"),
        (["--name", "a b"], 64, "--name: 'a b' is not valid"),
        (["--nonsense"], 64, "Unknown option '--nonsense'"),
        (["nobody"], 64, "unknown resolver 'nobody'"),
        (["192.0.2.1"], 64, "outside the allowed networks"),
        (
            ["127.0.0.1", "--allow-net", "10.0.0.0/8"], 64,
            "resolver '127.0.0.1' at 127.0.0.1 is outside the allowed networks"
        ),
        (
            ["--allow-net", "10.0.0.0/8"], 64,
            "--allow-net 10.0.0.0/8: it is outside DNSTEMPO_ALLOW_NET"
        ),
        (["127.0.0.1", "--notify", "none"], 64, "--notify: 'none' is not an executable program"),
        (["127.0.0.1", "--notify", "./none"], 64, "write the path of one, or desktop"),
        (["127.0.0.1", "--schedule", "a"], 64, "name the schedule with --name"),
        (["--domains", "none.txt"], 66, "'none.txt' does not exist"),
        (["--store", "a\nb"], 64, "has a newline in it"),
        (["--store", "postgresql://db.test/dns"], 64, "and a file is expected here"),
        (["127.0.0.1", "--timeout", "2h"], 64, "give a time above 0 and up to an hour"),
        (["127.0.0.1", "--warmup", "101"], 64, "--warmup 101: give a number from 0 to 100"),
        (["127.0.0.1", "--ca", "x.pem"], 64, "--ca needs an encrypted transport"),
        (["127.0.0.1", "--source", "192.0.2.9"], 64, "--source: 192.0.2.9 "),
        (["127.0.0.1", "--interval", "1m"], 64, "--interval: sample runs one round"),
        (["127.0.0.1", "--durability", "fast"], 64, "--durability"),
        (["127.0.0.1", "--series", "as-found"], 64, "--series as-found is judged once"),
        (["--lab", "meadow"], 64, "sample --lab: name a store with --store"),
        (["127.0.0.1", "-d", String(repeating: "a.", count: 600)], 64, "shorten it to 255"),
        (["127.0.0.1", "--rate", "0"], 64, "--rate 0.0: give the queries per second"),
        (["--rate", "21"], 64, "--rate 21.0: more than 20 queries per second to one resolver"),
        (["--baseline", "nobody"], 64, "--baseline: 'nobody' is not among the resolvers asked"),
        (
            ["a=127.0.0.1", "--baseline", "nobody", "--transport", "udp,tcp"], 64,
            "--baseline: 'nobody' is not among the resolvers asked; choose one of a"
        ),
        (
            ["--lab", "--store", "s.sqlite", "--allow-net", "10.0.0.0/8"], 64,
            "outside the allowed networks"
        ),
        (
            ["--lab", "--store", "s.sqlite", "--baseline", "nobody"], 64,
            "--baseline: 'nobody' is not among the resolvers asked; choose one of harbour, meadow"
        ),
    ])
    func `an invalid option is rejected with one line and without a write`(
        options: [String],
        code: Int32,
        message: String
    ) async throws {
        let sandbox = try ScheduleSandbox()
        let output = try await Binary.run(
            ["schedule", "install"] + options,
            environment: ["PATH": sandbox.folder.file("bin"), "HOME": sandbox.folder.path]
        )
        #expect(output.code == code)
        #expect(output.errors.contains(message), "\(output.errors)")
        #expect(output.errors.split(separator: "\n").count == 1)
        #expect(sandbox.tab == nil)
    }

    @Test func `a campaign's baseline must be one of its resolvers`() async throws {
        let sandbox = try ScheduleSandbox()
        let campaign = """
            baseline = "nobody"
            [[resolver]]
            name = "mine"
            address = "127.0.0.1"
            """
        try sandbox.folder.write(campaign, to: "c.toml")
        let refused = try await sandbox.run("install", "--campaign", "c.toml")
        #expect(refused.code == 78)
        #expect(
            refused.errors == """
                dnstempo: c.toml:1: 'baseline': 'nobody' is not among the resolvers asked; choose one \
                of mine

                """
        )
        #expect(sandbox.tab == nil)
        let named = try await sandbox.run("install", "--campaign", "c.toml", "--baseline", "mine")
        #expect(named.code == 0, "\(named.errors)")
    }

    @Test(arguments: ["system", "system-7", "gateway"])
    func `the system's resolver can be the rounds' baseline`(name: String) async throws {
        let sandbox = try ScheduleSandbox()
        let run = try await sandbox.run("install", "--baseline", name)
        #expect(run.code == 0, "\(run.errors)")
        let tab = String(decoding: try #require(sandbox.tab), as: UTF8.self)
        #expect(tab.contains("--baseline \(name)"), "\(tab)")
    }

    @Test func `a schedule uses the store of the configuration`() async throws {
        let sandbox = try ScheduleSandbox()
        try sandbox.folder.write(
            "store = \"/data/dns.sqlite\"\n",
            to: ".config/dnstempo/config.toml"
        )
        let usual = try await sandbox.run("print", "127.0.0.1")
        #expect(usual.output.contains(" --store /data/dns.sqlite "), "\(usual.output)")
        let named = try await sandbox.run("print", "127.0.0.1", "--store", "/other.sqlite")
        #expect(named.output.contains(" --store /other.sqlite "), "\(named.output)")
    }

    @Test func `a damaged crontab is rejected and kept`() async throws {
        let sandbox = try ScheduleSandbox()
        try sandbox.folder.write("x\n# END dnstempo schedule default\n", to: "tab")
        for command in ["install", "remove", "status"] {
            let output = try await sandbox.run(command)
            #expect(output.code == 65)
            #expect(
                output.errors == """
                    dnstempo: line 2 of the crontab ends a schedule that does not begin; repair it \
                    with 'crontab -e' (nothing was changed)

                    """
            )
        }
        #expect(sandbox.tab == Array("x\n# END dnstempo schedule default\n".utf8))
    }

    @Test(arguments: [
        ("echo 'you may not' >&2; exit 3", 74, "cannot read the crontab: crontab -l: you may not"),
        (
            "[ $1 = -l ] || { echo 'no space' >&2; exit 1; }", 73,
            "cannot write the crontab: crontab -: no space"
        ),
        ("kill -9 $$", 74, "cannot read the crontab: crontab -l: it says nothing"),
        (
            nil, 74,
            "there is no crontab program; install cron (Debian: apt-get install cron), "
                + "or use --systemd"
        ),
    ])
    func `a failing crontab program is reported in one line`(
        script: String?,
        code: Int32,
        message: String
    ) async throws {
        let sandbox = try ScheduleSandbox(crontab: script)
        let output = try await sandbox.run("install", "127.0.0.1")
        #expect(output.code == code)
        #expect(output.errors == "dnstempo: \(message)\n")
        #expect(output.output == "")
    }

    @Test func `a newline is added to the last line for the crontab program`() async throws {
        let sandbox = try ScheduleSandbox()
        try sandbox.folder.write("x", to: "tab")
        _ = try await sandbox.run("install", "127.0.0.1")
        try sandbox.addProgram(
            "crontab",
            "if [ $1 = - ]; then text=$(cat; echo .); "
                + "case $text in *'\n.') ;; *) echo 'missing newline' >&2; exit 1 ;; esac; "
                + "printf '%s' \"${text%.}\" > \"$HOME/tab\"; else cat \"$HOME/tab\"; fi"
        )
        let output = try await sandbox.run("remove")
        #expect(output.code == 0)
        #expect(output.errors.contains("a newline was added"))
        #expect(sandbox.tab == Array("x\n".utf8))
    }

    @Test func `status shows the installed entry and whether it can run`() async throws {
        let sandbox = try ScheduleSandbox()
        let none = try await sandbox.run("status")
        #expect(none.code == 0)
        #expect(none.output.hasPrefix("No schedule is installed;"))

        let block = """
            # BEGIN dnstempo schedule old: every 2h, installed 2020-01-01T00:00:00Z
            0 */2 * * * /gone/dnstempo sample -q --store /gone/rounds.sqlite
            # END dnstempo schedule old

            """
        try sandbox.folder.write(block, to: "tab")
        let status = try await sandbox.run("status")
        let facts = Dictionary(
            status.output.split(separator: "\n").map { line in
                (String(line.prefix(12)), String(line.dropFirst(12)))
            },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(facts["schedule    "] == "old: every 2h, by cron")
        #expect(facts["installed   "] == "2020-01-01 00:00")
        #expect(facts["last round  "] == "none yet")
        let missed = try #require(facts["missed      "]).split(separator: " of ").map { Int($0) }
        #expect(missed.count == 2)
        #expect(missed.first == missed.last)
        #expect(try #require(missed.first ?? nil) > 25_000)
        #expect(facts["next due    "]?.hasSuffix(":00") == true)
        #expect(facts["binary      "] == "/gone/dnstempo is gone or not executable: install again")
        #expect(facts["store       "] == "/gone/rounds.sqlite")
    }
}
