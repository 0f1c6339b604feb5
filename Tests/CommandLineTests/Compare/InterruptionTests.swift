import Foundation
import Servers
import Testing

@Suite struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted run prints and saves its measurements`(signal: Int32) async throws {
        let (asked, announce) = AsyncStream<Int>.makeStream()
        try await withResponder { query in
            announce.yield(query.ordinal)
            return [.reply(query.answer())]
        } _: { responder in
            let arguments = [
                "compare", "\(responder.endpoint)", "-d", "example.com", "--rounds", "100000",
                "--rate", "200", "-o", "r.json", "--samples", "s.csv",
            ]
            try await Binary.withRunning(arguments) { process, folder in
                for await ordinal in asked where ordinal >= 60 { break }
                process.send(signal: signal)
                let status = await process.end()
                #expect(status == .code(130))
                #expect(folder.text("output").contains("interrupted after"))
                let report = try JSON(folder.text("r.json"))
                let caveats = try #require(report["caveats"] as? [[String: String]])
                #expect(caveats.contains { $0["code"] == "interrupted" })
                let sent = try report.resolvers.compactMap { $0["sent"] as? Int }.reduce(0, +)
                #expect(sent >= 10)
                #expect(Table(folder.text("s.csv")).rows.count == sent)
            }
        }
    }

    /// A terminal that closes sends a hang-up signal. Its shell then sends the same signal again.
    @Test func `a second hang-up is ignored, and nohup ignores every hang-up`() async throws {
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            try await withUnreadReport(of: 100_000, from: responder) { process, folder, pipe in
                let isUnderWay = try await eventually(while: process) {
                    responder.queries.count >= 20
                }
                try #require(isUnderWay)
                process.send(signal: SIGHUP)
                let isSaid = try await eventually(while: process) {
                    folder.text("output").contains("interrupted")
                }
                try #require(isSaid)
                process.send(signal: SIGHUP)
                // The reader of the pipe gets the whole report.
                let read = try await Program("cat", package: "coreutils").run([pipe])
                #expect(try JSON(read.output)["schema"] as? String == "dnstempo.comparison/1")
                #expect(await process.end() == .code(130))
            }
            let home = TemporaryFolder()
            let words = ["compare", "\(responder.endpoint)", "-d", "example.com", "--rate", "200"]
            let run = try await Program("sh", package: "dash").run(
                [
                    "-c",
                    "trap '' HUP; \"$@\" & while [ $((i += 1)) -le 50000 ]; do kill -HUP $!; "
                        + "done; wait $!", "sh",
                    Program.dnstempo().path,
                ] + words + ["--rounds", "50"],
                environment: Binary.environment(home: home.path),
                in: home.path
            )
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    @Test func `files are complete although standard output fails`() async throws {
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            let folder = TemporaryFolder()
            let run = try await Program("sh", package: "dash").run(
                [
                    "-c", "exec \"$@\" >/dev/full", "sh", Program.dnstempo().path, "compare",
                    "\(responder.endpoint)", "-d", "example.com", "--rounds", "3", "--rate", "20",
                    "-o", "r.json", "--store", "s.sqlite",
                ],
                environment: Binary.environment(home: folder.path),
                in: folder.path
            )
            #expect(run.code == 74)
            #expect(
                run.errors
                    == "dnstempo: cannot write to standard output: No space left on device\n"
            )
            #expect(try JSON(folder.text("r.json")).resolvers.count == 1)
            let stored = try await StoredFile(folder.file("s.sqlite"))
                .query("SELECT count(*) FROM round")
            #expect(stored == "3\n")
        }
    }

    /// Runs a comparison of `rounds` rounds. Its report is written to a pipe without a reader.
    private func withUnreadReport(
        of rounds: Int,
        from responder: ScriptedResponder,
        _ body: (ChildProcess, TemporaryFolder, _ pipe: String) async throws -> Void
    ) async throws {
        let pipes = TemporaryFolder()
        let pipe = pipes.file("r.json")
        let made = unsafe mkfifo(pipe, 0o600)
        #expect(made == 0)
        let arguments = [
            "compare", "\(responder.endpoint)", "-d", "example.com", "--rounds", "\(rounds)",
            "--rate", "200", "-o", pipe,
        ]
        try await Binary.withRunning(arguments) { process, folder in
            try await body(process, folder, pipe)
        }
    }

    /// Whether a signal is pending for the process (`ShdPnd` of proc(5)).
    private func hasPendingSignal(_ process: ChildProcess) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        return !status.contains("ShdPnd:\t0000000000000000")
    }

    @Test func `an interruption after the last query leaves the report complete`() async throws {
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            try await withUnreadReport(of: 3, from: responder) { process, folder, pipe in
                let isSaid = try await eventually(while: process) {
                    !folder.text("output").isEmpty
                }
                try #require(isSaid)
                process.send(signal: SIGINT)
                #expect(try await eventually(while: process) { try !hasPendingSignal(process) })
                let read = try await Program("cat", package: "coreutils").run([pipe])
                let report = try JSON(read.output)
                #expect(try report.resolvers.first?["answered"] as? Int == 3)
                #expect(await process.end() == .code(130))
            }
        }
    }

    @Test func `a second interruption ends the program at once`() async throws {
        let (asked, announce) = AsyncStream<Int>.makeStream()
        try await withResponder { query in
            announce.yield(query.ordinal)
            return [.reply(query.answer())]
        } _: { responder in
            try await withUnreadReport(of: 100_000, from: responder) { process, folder, _ in
                for await ordinal in asked where ordinal >= 20 { break }
                process.send(signal: SIGINT)
                let isSaid = try await eventually(while: process) {
                    folder.text("output").contains("interrupted")
                }
                try #require(isSaid)
                #expect(!process.hasEnded)
                process.send(signal: SIGINT)
                #expect(await process.end() == .code(130))
            }
        }
    }
}
