import Foundation
import Servers
import Testing

/// Notices about a resolver that may be silent. Each round also queries a second resolver, which always
/// answers.
@Suite(.timeLimit(.minutes(2))) struct NoticeTests {
    private let folder = TemporaryFolder()

    /// Writes a program with this name into the folder, and returns its path. The program records its
    /// arguments and its standard input, and then runs `more`.
    @discardableResult
    private func recorder(_ name: String, then more: String = "") throws -> String {
        let script = """
            #!/bin/sh
            printf '%s\\n' "$@" >> "\(folder.file("arguments"))"
            cat >> "\(folder.file("handed"))"
            \(more)

            """
        return try folder.writeProgram(script, to: name)
    }

    private func sample(
        _ resolvers: [String],
        _ options: [String],
        environment: [String: String] = [:]
    ) async throws -> CommandOutput {
        try await Binary.run(
            // The timeout is long, so that the good resolver answers in time. If both resolvers are late, the
            // round shows nothing about the bad resolver.
            [
                "sample", "-d", "example.com", "-d", "example.org", "--timeout", "2s", "--store",
                "s.sqlite",
            ]
                + resolvers + options,
            environment: environment,
            in: folder.path
        )
    }

    /// Runs `body` with two resolvers. The second resolver is silent while the flag is set.
    private func withResolvers(_ body: ([String], FlagFile) async throws -> Void) async throws {
        try await withSilencedResolver(in: folder) { good, bad, flag in
            try await body(["good=\(good)", "bad=\(bad)"], flag)
        }
    }

    private func handed() throws -> [JSON] {
        try folder.text("handed").components(separatedBy: "\n}\n").filter { !$0.isEmpty }
            .map { try JSON($0 + "\n}") }
    }

    @Test func `a program is notified once per change, across samples`() async throws {
        try await withResolvers { resolvers, silent in
            try recorder("tell me")
            for isSilent in [false, true, true, true, false, false, false] {
                silent.isSet = isSilent
                let run = try await sample(resolvers, ["--notify", "./tell me"])
                #expect(run.code == 0 && run.output == "" && run.errors == "")
            }
            let documents = try handed()
            let notices = documents.compactMap { ($0["notices"] as? [[String: Any]])?.first }
            #expect(notices.map { $0["kind"] as? String } == ["unreachable", "recovered"])
            #expect(notices.allSatisfy { $0["resolver"] as? String == "bad" })
            #expect(documents.allSatisfy { $0["schema"] as? String == "dnstempo.notice/1" })
            // The program gets no arguments. It writes an empty line for each of the two notices.
            #expect(folder.text("arguments") == "\n\n")
        }
    }

    @Test func `a watch notifies once if an error budget is spent too fast`() async throws {
        try await withResolvers { resolvers, silent in
            try recorder("tell")
            silent.isSet = true
            try await Binary.succeedSilently(
                ["watch", "-d", "example.com", "--timeout", "2s", "--interval", "0s"]
                    + ["--rounds", "14", "--store", "s.sqlite", "--notify", "./tell"]
                    + ["--objective", "answered within 2s >= 95%", "--no-check"] + resolvers,
                in: folder.path
            )
            let notices = try handed().flatMap { $0["notices"] as? [[String: Any]] ?? [] }
                .filter { $0["kind"] as? String == "budget-burning" }
            #expect(notices.map { $0["resolver"] as? String } == ["bad"])
            let figures = try #require(notices.first?["figures"] as? [String: Any])
            #expect(figures["burn_rate"] as? Double == 20)
            let long = try #require(figures["long"] as? [String: Any])
            // Twelve rounds are the minimum for this notice.
            #expect(long["queries"] as? Int == 12 && long["within"] as? Int == 0)
        }
    }

    @Test func `the desktop is notified by arguments, without a shell`() async throws {
        try await withResolvers { resolvers, silent in
            try recorder("notify-send")
            silent.isSet = true
            let path = ["PATH": "\(folder.path):/usr/bin:/bin"]
            for _ in 1...2 {
                let run = try await sample(resolvers, ["--notify", "desktop"], environment: path)
                #expect(run.code == 0 && run.errors == "")
            }
            let arguments = folder.text("arguments").split(separator: "\n")
            try #require(arguments.count == 4)
            #expect(
                arguments[..<3] == ["--app-name=dnstempo", "--", "dnstempo: bad is unreachable"]
            )
            #expect(arguments[3].hasPrefix("bad (127.0.0.1:"))
            #expect(folder.text("handed") == "")
        }
    }

    @Test func `no text of a notice runs as a command`() async throws {
        try await withResolvers { resolvers, silent in
            try recorder("tell")
            silent.isSet = true
            let vantage = "$(touch hit) `touch hit`; touch hit \" ' \\ \n \u{1B}]0;x\u{7}"
            for _ in 1...2 {
                let run = try await sample(resolvers, ["--notify", "./tell", "--vantage", vantage])
                #expect(run.code == 0)
            }
            #expect(try handed().first?["vantage"] as? String == vantage)
            #expect(!FileManager.default.fileExists(atPath: folder.file("hit")))
        }
    }

    @Test(arguments: [
        ("exit 3", "'./tell' ended with 3: it says nothing"),
        ("echo 'no mail' >&2; exit 1", "'./tell' ended with 1: no mail"),
        ("kill -9 $$", "'./tell' was ended by a signal"),
        ("head -c 1048577 /dev/zero", "'./tell' was killed: it wrote more than 1 MB"),
        ("head -c 1048577 /dev/zero >&2", "'./tell' was killed: it wrote more than 1 MB"),
        (nil, "there is no program './tell'"),
    ])
    func `a failed program is reported in one line`(script: String?, message: String) async throws {
        try await withResolvers { resolvers, silent in
            if let script { try recorder("tell", then: script) }
            silent.isSet = true
            let first = try await sample(resolvers, ["--notify", "./tell"])
            #expect(first.errors == "")
            let second = try await sample(resolvers, ["--notify", "./tell"])
            #expect(second.code == 0)
            #expect(second.errors.hasPrefix("dnstempo: --notify: \(message)"), "\(second.errors)")
            #expect(second.errors.split(separator: "\n").count == 1)
            // The next round does not repeat the error.
            #expect(try await sample(resolvers, ["--notify", "./tell"]).errors == "")
            let info = try await Binary.run(
                ["store", "info", "--store", "s.sqlite", "--format", "json"],
                in: folder.path
            )
            #expect(try JSON(info.output)["rounds"] as? Int == 3)
        }
    }

    @Test(arguments: [("x", 0o644, "Permission denied"), ("x", 0o755, "Exec format error")])
    func `a file that cannot be run is reported in one line`(
        content: String,
        permissions: Int,
        reason: String
    ) async throws {
        try await withResolvers { resolvers, silent in
            let path = try folder.writeProgram(content, to: "tell")
            try FileManager.default.setAttributes(
                [.posixPermissions: permissions],
                ofItemAtPath: path
            )
            silent.isSet = true
            _ = try await sample(resolvers, ["--notify", "./tell"])
            let run = try await sample(resolvers, ["--notify", "./tell"])
            #expect(run.code == 0)
            #expect(run.errors == "dnstempo: --notify: cannot run './tell': \(reason)\n")
        }
    }

    @Test func `a program gets the user's variables, and no blocked signals`() async throws {
        try await withResolvers { resolvers, silent in
            let notes = """
                grep -E 'Sig(Blk|Ign)' /proc/self/status >> "\(folder.file("signals"))"
                printf '%s\\n' "$MARK" >> "\(folder.file("marks"))"
                """
            try recorder("tell", then: notes)
            try recorder("notify-send", then: notes)
            silent.isSet = true
            let environment = ["MARK": "1", "PATH": "\(folder.path):/usr/bin:/bin", "2": "x"]
            for _ in 1...2 {
                let run = try await sample(
                    resolvers,
                    ["--notify", "tell", "--notify", "desktop"],
                    environment: environment
                )
                #expect(run.code == 0 && run.errors == "")
            }
            // notify-send gets only the variables that it needs.
            #expect(folder.text("marks") == "1\n\n")
            #if os(Linux)
            let masks = folder.text("signals").split(separator: "\n").compactMap {
                UInt64($0.suffix(16), radix: 16)
            }
            // The signals of the upper bits belong to the C library.
            #expect(masks.map { $0 & 0x7fff_ffff } == [0, 0, 0, 0])
            #endif
        }
    }

    @Test func `child processes of a program are neither awaited nor ended`() async throws {
        try await withResolvers { resolvers, silent in
            try recorder("tell", then: "sleep 600 & echo $! > pid")
            silent.isSet = true
            for _ in 1...2 {
                let run = try await sample(resolvers, ["--notify", "./tell"])
                #expect(run.code == 0 && run.errors == "")
            }
            let pid = try #require(
                Int32(folder.text("pid").trimmingCharacters(in: .whitespacesAndNewlines))
            )
            #expect(Self.isRunning(pid))
            kill(pid, SIGKILL)
        }
    }

    @Test func `a program that hangs is killed with its child processes`() async throws {
        try await withResolvers { resolvers, silent in
            try recorder("tell", then: "sleep 600 & echo $! > pid; wait")
            silent.isSet = true
            _ = try await sample(resolvers, ["--notify", "./tell"])
            let run = try await sample(resolvers, ["--notify", "./tell"])
            #expect(run.code == 0)
            #expect(
                run.errors
                    == "dnstempo: --notify: './tell' was killed: it had not ended after 10 s\n"
            )
            let pid = try #require(
                Int32(folder.text("pid").trimmingCharacters(in: .whitespacesAndNewlines))
            )
            #expect(try await eventually { !Self.isRunning(pid) })
        }
    }

    /// Returns whether a process exists and is not a zombie. A zombie has ended, and waits until its new
    /// parent reads its exit status.
    private static func isRunning(_ pid: Int32) -> Bool {
        guard kill(pid, 0) == 0 else { return false }
        let state = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return state?.contains(") Z ") != true
    }

    @Test func `a watch sends the same notices as samples`() async throws {
        try await withResolvers { resolvers, silent in
            let tell = try recorder("tell")
            silent.isSet = true
            let arguments =
                [
                    "watch", "-d", "example.com", "-d", "example.org", "--timeout", "400ms",
                    "--interval", "500ms",
                ]
                + ["--store", folder.file("s.sqlite"), "--notify", tell] + resolvers
            try await Binary.withRunning(arguments) { process, home in
                for kind in ["unreachable", "recovered"] {
                    let isTold = try await eventually(while: process) {
                        folder.text("handed").contains("\"kind\": \"\(kind)\"")
                    }
                    try #require(isTold, "\(home.text("errors"))")
                    silent.isSet = false
                }
                #expect(await process.stop() == .code(0))
                #expect(home.text("errors") == "")
            }
            #expect(try handed().count == 2)
        }
    }

    @Test(arguments: [
        (["127.0.0.1", "--no-store", "--notify", "desktop"], "sent notices are kept in a store"),
        (["--lab", "--notify", "desktop"], "name one with --store"),
        (["127.0.0.1", "--notify", "./none"], "'./none' is not an executable program"),
    ])
    func `a watch with an unusable --notify option fails`(
        options: [String],
        message: String
    ) async throws {
        let run = try await Binary.run(["watch"] + options, in: folder.path)
        #expect(run.code == 64)
        #expect(run.errors.contains(message) && run.errors.split(separator: "\n").count == 1)
    }

    @Test func `an empty receiver is rejected`() async throws {
        let run = try await sample(["127.0.0.1"], ["--notify", ""])
        #expect(run.code == 64)
        #expect(run.errors == "dnstempo: --notify: name a program, or write desktop\n")
    }
}

/// A flag that is set if its file exists. The script of a resolver reads it.
struct FlagFile: Sendable {
    let path: String

    var isSet: Bool {
        get { FileManager.default.fileExists(atPath: path) }
        nonmutating set {
            if newValue {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
            } else {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }
}
