import Foundation
import Servers
import Testing

/// The output and errors of `connections`.
@Suite struct ConnectionsCommandTests {
    @Test(arguments: try BadInput.cases("connections"))
    func `the error names the unusable argument`(input: BadInput) async throws {
        try await input.check()
    }

    @Test func `a kept connection over TCP of the lab has only a lower limit`() async throws {
        let folder = TemporaryFolder()
        let run = try await Command.succeed(
            ["connections", "--lab", "default", "brook", "--up-to", "1s", "--rate", "50"]
                + ["--at-rate", "20", "-o", "c.json", "-o", "c.csv", "-o", "c.md", "-o", "c.html"],
            in: folder.path
        )
        #expect(run.output.hasPrefix("No server ended an idle connection within 1 s.\n"))
        #expect(
            run.errors.hasPrefix("dnstempo: watches 1 connection at once: at most ")
        )
        let json = try JSON(folder.text("c.json"))
        #expect(json["schema"] as? String == "dnstempo.connections/1")
        let row = try #require((json["connections"] as? [[String: Any]])?.first)
        #expect(row["idle_timeout_s"] is NSNull)
        #expect(try #require(row["idle_low_s"] as? Double) >= 1)
        #expect(row["gaps"] as? Int == 1)
        let table = Table(folder.text("c.csv"))
        #expect(table.column("queries_per_hour") == ["20"])
        #expect(table.column("share_is_limit") == ["true"])
        #expect(folder.text("c.md").contains("| resolver |"))
        #expect(folder.text("c.html").contains("No server ended an idle connection"))
    }

    @Test func `a refused connection counts as no query`() async throws {
        let port = try Loopback.freePort()
        let run = try await Command.run([
            "connections", "tcp://127.0.0.1:\(port)", "--up-to", "1s",
        ])
        #expect(run.code == 69)
        #expect(run.output.hasPrefix("No idle timeout is known.\n"))
        #expect(run.output.contains("not reached (Connection refused)."))
        #expect(run.output.contains("\n- 0 queries on 0 connections.\n"))
    }

    @Test func `an interrupted run shows what is known so far`() async throws {
        let (asked, announce) = AsyncStream<Int>.makeStream()
        try await withResponder { query in
            announce.yield(query.ordinal)
            return [.reply(query.answer())]
        } _: { responder in
            let words = [
                "connections", "tcp://\(responder.endpoint)", "-d", "example.com", "--rate", "20",
                "--handshakes", "6", "-o", "c.json",
            ]
            try await Binary.withRunning(words) { process, folder in
                // All connections of the first kind are open by then.
                for await ordinal in asked where ordinal >= 8 { break }
                process.send(signal: SIGINT)
                #expect(await process.end() == .code(130))
                let rows = try JSON(folder.text("c.json"))["connections"] as? [[String: Any]]
                let row = try #require(rows?.first)
                #expect(row["interrupted"] as? Bool == true)
                #expect(try #require(row["new_count"] as? Int) >= 6)
                #expect(row["idle_timeout_s"] is NSNull)
            }
        }
    }

    @Test func `a recorded pattern has its own cost`() async throws {
        let folder = TemporaryFolder()
        // Ten queries, one second apart. The connection ends between none of them.
        let rows = (0..<10).map { "2026-11-28T10:00:0\($0)Z,www.example.com" }
        try folder.write(("time,name\n" + rows.joined(separator: "\n")), to: "p.csv")
        let run = try await Command.succeed(
            ["connections", "--lab", "default", "brook", "--up-to", "2s", "--rate", "50"]
                + ["--pattern", "p.csv", "--format", "json"],
            in: folder.path
        )
        let json = try JSON(run.output)
        let pattern = try #require(json["pattern"] as? [String: Any])
        #expect(pattern["queries"] as? Int == 10 && pattern["names"] as? Int == 1)
        let row = try #require((json["connections"] as? [[String: Any]])?.first)
        let costs = try #require(row["costs"] as? [[String: Any]])
        #expect(costs.count == 4 && costs[3]["queries_per_hour"] is NSNull)
        #expect(costs[3]["share"] as? Double == 0.1)
    }
}
