import Foundation
import Servers
import Testing

@Suite struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted run prints and saves what was measured`(signal: Int32) async throws {
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
                for await ordinal in asked where ordinal >= 20 { break }
                process.send(signal: signal)
                let status = await process.end()
                #expect(status == .code(130))
                #expect(folder.text("output").contains("Interrupted after"))
                let report = try JSON(folder.text("r.json"))
                let caveats = try #require(report["caveats"] as? [[String: String]])
                #expect(caveats.contains { $0["code"] == "interrupted" })
                let sent = try report.resolvers.compactMap { $0["sent"] as? Int }.reduce(0, +)
                #expect(sent >= 10)
                #expect(Table(folder.text("s.csv")).rows.count == sent)
            }
        }
    }

    /// The report is being written into a pipe that nobody reads when the second signal comes.
    @Test func `a second interruption ends the program at once`() async throws {
        let (asked, announce) = AsyncStream<Int>.makeStream()
        try await withResponder { query in
            announce.yield(query.ordinal)
            return [.reply(query.answer())]
        } _: { responder in
            let pipes = try TemporaryFolder()
            defer { pipes.remove() }
            let made = unsafe mkfifo(pipes.file("r.json"), 0o600)
            #expect(made == 0)
            let arguments = [
                "compare", "\(responder.endpoint)", "-d", "example.com", "--rounds", "100000",
                "--rate", "200", "-o", pipes.file("r.json"),
            ]
            try await Binary.withRunning(arguments) { process, folder in
                for await ordinal in asked where ordinal >= 20 { break }
                process.send(signal: SIGINT)
                let isSaid = try await eventually(while: process) {
                    folder.text("output").contains("Interrupted")
                }
                try #require(isSaid)
                #expect(!process.hasEnded)
                process.send(signal: SIGINT)
                #expect(await process.end() == .code(130))
            }
        }
    }
}
