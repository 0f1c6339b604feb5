#if os(Linux)
import Foundation
import Samples
import Servers
import Store
import Testing

/// Debian's cron and crontab in their own mount namespace. In the namespace, cron's spool and tables are
/// empty file systems. These file systems disappear with the last process of the namespace.
@Suite(.enabled(if: geteuid() == 0, "a mount namespace and cron need root"))
struct CronDaemonTests {
    private static let enter = """
        mount -t tmpfs tmpfs /var/spool/cron/crontabs
        mount -t tmpfs tmpfs /etc/cron.d
        mount -t tmpfs tmpfs /run
        mount --bind /dev/null /etc/crontab

        """
    /// Starts cron with a false clock, on which the next minute begins after four seconds. Only cron uses
    /// this clock.
    private static let cron = """

        exec faketime "$(date '+%F %H:%M:56')" cron -f
        """

    @Test func `cron runs an installed line with unchanged words`() async throws {
        let folder = TemporaryFolder()
        let home = folder.file(#"o'neil's 50% "home" \ of\%"#)
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        let recorder = """
            #!/bin/sh
            printf '%s\\n' "$XDG_CONFIG_HOME" "$0" "$@" 1<>'\(folder.file("event"))'

            """
        try folder.write(recorder, to: "recorder")
        // The program installs the line. A script that records its arguments then replaces the program.
        let script = """
            mkfifo -m 600 "$1/event"
            chmod 755 "$1/recorder"
            ln -s "$3" "$2/dnstempo"
            "$2/dnstempo" schedule install --every 1m 127.0.0.1 --splay 5s
            mv "$1/recorder" "$2/dnstempo"
            """
        let cron = try Program("unshare", package: "util-linux").start(
            ["-m", "sh", "-ec", Self.enter + script + Self.cron, "sh", folder.path, home]
                + [Program.dnstempo().path],
            environment: Binary.environment(home: home)
                .merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { $1 },
            files: folder
        )
        let event = await event(in: folder)
        await cron.stop()
        #expect(
            event == """
                \(home)/.config
                \(home)/dnstempo
                sample
                -q
                --store
                \(home)/.local/share/dnstempo/dnstempo.sqlite
                --schedule
                default
                --splay
                5s
                --allow-net
                127.0.0.0/8,::1/128
                127.0.0.1

                """,
            "\(folder.text("errors"))"
        )
    }

    /// Returns the first text from the pipe `event`. The text is empty if none arrives within 75 s.
    private func event(in folder: TemporaryFolder) async -> String? {
        let wait = "while ! [ -p \"$0\" ]; do sleep 0.01; done; exec cat \"$0\""
        let output = try? await Program("sh", package: "dash")
            .run(["-c", wait, folder.file("event")], limit: .seconds(75))
        return output?.output
    }

    @Test func `cron stores a round, and status shows it`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let folder = TemporaryFolder()
            let script = """
                "$2" schedule install --every 1m --splay 1s "$3" -d example.com
                """
            let words = [folder.path, try Program.dnstempo().path, "\(responder.endpoint)"]
            let environment = Binary.environment(home: folder.path)
                .merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { $1 }
            let cron = try Program("unshare", package: "util-linux").start(
                ["-m", "sh", "-ec", Self.enter + script + Self.cron, "sh"] + words,
                environment: environment,
                files: folder
            )
            let store = folder.file(".local/share/dnstempo/dnstempo.sqlite")
            let before = try await lastRound(in: store, while: cron)
            let status = try await Program("nsenter", package: "util-linux").run(
                [
                    "--mount=/proc/\(cron.pid)/ns/mnt", Program.dnstempo().path, "schedule",
                    "status",
                ],
                environment: environment
            )
            let after = try await lastRound(in: store, while: cron)
            await cron.stop()
            try #require(before != nil, "\(folder.text("errors"))")
            // cron may store another round before `status` reads the store.
            let told = [before, after].compactMap { $0?.description.prefix(16) }
                .map { "\nlast round  \($0.replacing("T", with: " "))\n" }
            #expect(told.contains { status.output.contains($0) }, "\(status)")
            // The resolver gets a warm-up query and a counted query.
            #expect(responder.queries.count >= 2)
        }
    }

    /// Returns the start time of the store's last round. Waits up to 150 s for a round, and then returns
    /// `nil`.
    private func lastRound(in path: String, while cron: ChildProcess) async throws -> Timestamp? {
        try await eventualValue(within: .seconds(150), while: cron) {
            try (try? Store(path: path, access: .readOnly))?.rounds().last?.round.started
        }
    }

    @Test(arguments: ["", "MAILTO=me\r\n# \\r\n\n0 3 * * * echo 50\\%\n"])
    func `Debian's crontab is restored`(before: String) async throws {
        let folder = TemporaryFolder()
        try folder.write(before, to: "before")
        let script = """
            cd "$1"
            if [ -s before ]; then crontab before; fi
            crontab -l > listed 2>&1 || :
            "$2" schedule install 127.0.0.1
            "$2" schedule install --name two --every 1d 127.0.0.1
            VISUAL=cat crontab -e > installed
            "$2" schedule remove
            "$2" schedule remove --name two
            crontab -l > after 2>&1 || :
            if [ -s before ]; then VISUAL=cat crontab -e > exact; fi
            """
        let output = try await Program("unshare", package: "util-linux").run(
            ["-m", "sh", "-ec", Self.enter + script, "sh", folder.path, Program.dnstempo().path],
            environment: Binary.environment(home: folder.path)
        )
        #expect(output.code == 0, "\(output.errors)")
        #expect(folder.read("installed").starts(with: before.utf8))
        #expect(folder.text("installed").contains("# BEGIN dnstempo schedule two: every 1d"))
        #expect(folder.read("after") == folder.read("listed"))
        #expect(folder.read("exact") == Array(before.utf8))
    }
}
#endif
