import Foundation
import Servers
import Testing

/// Hostile servers that speak the PostgreSQL protocol, and hostile receivers of remote writes.
@Suite struct HostileCentreTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: [String]) async throws -> CommandOutput {
        try await Command.run(arguments, in: folder.path)
    }

    private func send(to mode: HostileServer.Mode) async throws -> CommandOutput {
        let sample = ["sample", "--lab", "meadow", "-d", "example.com", "--store", "s.sqlite"]
        #expect(try await run(sample).code == 0)
        let log = folder.file("harm")
        return try await withServer(HostileServer(mode, log: log)) { server in
            let command = ["store", mode.isReceiver ? "remote-write" : "ship"]
            return try await run(command + ["--store", "s.sqlite", "--to", server.url(mode)])
        }
    }

    @Test(arguments: [
        (HostileServer.Mode.floodsGreeting, Int32(75), "sent more than 1 MB"),
        (.floodsRows, 75, "sent more than 1 MB"), (.floodsNulls, 75, "sent more than 1 MB"),
        (.floodsParameters, 75, "sent more than 1 MB"),
        (.floodsNotifications, 75, "sent more than 1 MB"),
        (.copiesIn, 65, "gave an answer that no statement asked for"),
        (.copiesOut, 65, "gave an answer that no statement asked for"),
        (.copiesBoth, 65, "gave an answer that no statement asked for"),
        (.empties, 65, "gave an answer that no statement asked for"),
        (.errs, 78, "\\u{1B}]0;owned\\u{7}\\u{1B}[2Jmischief\u{FFFD}xxxx"),
        (.floodsHead, 75, "answered 500"), (.floodsBody, 75, "answered 500: xxxx"),
    ])
    func `a hostile server causes at most one line`(
        mode: HostileServer.Mode,
        code: Int32,
        words: String
    ) async throws {
        let sent = try await send(to: mode)
        #expect(sent.code == code && sent.output == "")
        #expect(sent.errors.contains(words), "\(sent.errors)")
        #expect(sent.errors.split(separator: "\n").count == 1 && sent.errors.utf8.count < 600)
    }

    @Test func `at most eight server notices are shown, without escape sequences`() async throws {
        let lines = try await send(to: .notices).errors.split(separator: "\n")
        let notices = lines.filter { $0.hasSuffix(": WARNING:  \\u{1B}]0;owned\\u{7}mischief") }
        #expect(notices.count == 8 && lines.count == 9, "\(lines)")
    }

    @Test func `a report does not wait for the end of an endless greeting`() async throws {
        try await withServer(HostileServer(.floodsGreeting, log: folder.file("harm"))) { server in
            let report = try await run(["report", "--store", server.url(.floodsGreeting)])
            #expect(report.code == 75 && report.output == "")
            #expect(report.errors.contains("sent more than 1 MB"), "\(report.errors)")
        }
    }
}
