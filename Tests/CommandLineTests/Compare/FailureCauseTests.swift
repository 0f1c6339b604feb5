import Servers
import Testing

/// The cause of a failure, from the network to the samples file.
@Suite struct FailureCauseTests {
    /// Returns the outcome, the cause and the value of the cause for each query of two rounds. Also returns
    /// the number of all queries that the server received.
    private func rows(
        script: @escaping ScriptedResponder.Script
    ) async throws -> (rows: [[String]], queries: Int) {
        let folder = TemporaryFolder()
        return try await withResponder(script: script) { responder in
            let run = try await Command.run(
                ["compare", "a=\(responder.endpoint)", "-d", "example.com", "--rounds", "2"]
                    + ["--warmup", "0", "--rate", "500", "--timeout", "300ms", "--no-store"]
                    + ["--no-check", "--format", "json", "--samples", "s.csv"],
                in: folder.path
            )
            let lines = folder.text("s.csv").split(separator: "\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
            let header = try #require(lines.first, "\(run.errors)")
            let columns = try ["outcome", "cause", "cause_value"].map {
                try #require(header.firstIndex(of: $0))
            }
            let rows = lines.dropFirst().map { line in columns.map { line[$0] } }
            return (rows, responder.queries.count)
        }
    }

    @Test func `an answer from another address is the cause of a timeout`() async throws {
        let place = SocketAddress("127.0.0.2", port: try Loopback.freePort())
        let found = try await rows { [.replyFrom(place, $0.answer())] }
        let row = ["timeout", "other-source", "\(place)"]
        #expect(found.rows == [row, row])
        // One extra query detects the other source address.
        #expect(found.queries == 3)
    }

    @Test func `FORMERR without EDNS is the cause of a failure`() async throws {
        let found = try await rows { [.reply($0.answer(rcode: 1, addresses: []))] }
        #expect(found.rows == [["failed", "edns", ""], ["failed", "edns", ""]])
        #expect(found.queries == 2)
    }
}
