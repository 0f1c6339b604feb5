import Foundation
import Servers
import Testing

/// Rounds that `sample` adds to a store, as it does under cron.
@Suite struct SampleTests {
    private let folder = TemporaryFolder()

    private func info(_ store: String, in folder: TemporaryFolder) async throws -> JSON {
        let run = try await Command.run(
            ["store", "info", "--store", store, "--format", "json"],
            in: folder.path
        )
        #expect(run.errors == "")
        return try JSON(run.output)
    }

    @Test func `each sample adds a round and prints nothing`() async throws {
        for count in 1...2 {
            let run = try await Command.succeed(
                ["sample", "--lab", "meadow", "-d", "example.com", "--store", "s.sqlite"],
                in: folder.path
            )
            #expect(run.output == "" && run.errors == "")
            let info = try await info("s.sqlite", in: folder)
            #expect(info["rounds"] as? Int == count)
            #expect(info["samples"] as? Int == count)
        }
    }

    @Test func `rounds of the lab form one history, even if its ports change`() async throws {
        for _ in 1...2 {
            let arguments = ["sample", "--lab", "-d", "example.com", "--store", "s.sqlite"]
            #expect(try await Command.run(arguments, in: folder.path).code == 0)
        }
        let report = try await Command.run(
            ["report", "s.sqlite", "--format", "csv"],
            in: folder.path
        )
        let table = Table(report.output)
        #expect(table.column("name").sorted() == Self.lab)
        #expect(table.column("endpoint").sorted() == Self.lab.map { "lab:\($0)" })
        #expect(table.column("sent").allSatisfy { $0 == "2" })
    }

    private static let lab = ["brook", "cliff", "glacier", "harbour", "marsh", "meadow"]

    @Test func `a dead resolver is recorded without output`() async throws {
        let run = try await Command.succeed(
            ["sample", "127.0.0.1:\(try Loopback.freePort())", "-d", "example.com"]
                + ["--store", "s.sqlite"],
            in: folder.path
        )
        #expect(run.output == "" && run.errors == "")
        #expect(try await info("s.sqlite", in: folder)["samples"] as? Int == 1)
    }

    @Test func `two samples of one store never overlap`() async throws {
        let (asked, announce) = AsyncStream<Void>.makeStream()
        try await withResponder { _ in
            announce.yield()
            return []
        } _: { responder in
            let folder = TemporaryFolder()
            let arguments = [
                "sample", "\(responder.endpoint)", "-d", "example.com", "--timeout", "60s",
                "--store", folder.file("s.sqlite"),
            ]
            try await Binary.withRunning(arguments) { _, _ in
                for await _ in asked { break }
                let second = try await Command.run(arguments)
                #expect(second.code == 75)
                #expect(second.errors.hasPrefix("dnstempo: another 'dnstempo sample' or 'dn"))
            }
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func `an endless TCP stream fails one sample, not the round`() async throws {
        let responder = FloodResponder(.zeros, log: folder.file("responder.log"))
        try await withServer(responder) { server in
            let arguments = [
                "sample", "\(server.endpoint)", "-d", "example.com", "--timeout", "5s", "--store",
                "s.sqlite",
            ]
            for count in 1...2 {
                try await Command.succeedSilently(arguments, in: folder.path)
                #expect(try await info("s.sqlite", in: folder)["rounds"] as? Int == count)
            }
            let export = try await Command.run(["export", "--store", "s.sqlite"], in: folder.path)
            #expect(export.output.split(separator: ",").count { $0 == "malformed" } == 2)
        }
    }

    @Test func `an impossible store is rejected before any query`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let folder = TemporaryFolder()
            let file = try folder.write("", to: "file")
            let run = try await Command.run([
                "sample", "\(responder.endpoint)", "-d", "example.com",
                "--store", "\(file)/s.sqlite",
            ])
            #expect(run.code == 73)
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(responder.queries.isEmpty)
        }
    }
}
