import Foundation
import Samples
import Servers
import Store
import Testing

/// The content of the store after a scheduled round without answers.
struct SampledRoundTests {
    private let folder = TemporaryFolder()

    private var path: String { folder.file("s.sqlite") }

    private func arguments(_ resolvers: [String]) -> [String] {
        ["sample", "-q", "-d", "example.com", "--timeout", "200ms", "--store", path] + resolvers
    }

    private func rollups() throws -> [HourlySum] {
        var rollups: [HourlySum] = []
        try Store(path: path, access: .readOnly).forEachRollup { rollups.append($0) }
        return rollups
    }

    private func round() throws -> StoredRound {
        let rounds = try Store(path: path, access: .readOnly).rounds()
        try #require(rounds.count == 1)
        return rounds[0]
    }

    private func samples(_ window: Store.Window) throws -> [Sample] {
        try Store(path: path, access: .readOnly).recording(window).samples
    }

    @Test func `dead resolvers are recorded without output`() async throws {
        let ports = try (1...3).map { _ in try Loopback.freePort() }
        let run = try await Binary.run(arguments(ports.map { "127.0.\($0 % 200).1:\($0)" }))
        #expect(run.code == 0 && run.output == "" && run.errors == "")
        #expect(try round().round.marks == [])
        #expect(
            try samples(.init()).map(\.observation.outcome)
                == Array(repeating: .unreachable, count: 3)
        )
    }

    @Test func `silence of all resolvers is an outage, and no figure counts it`() async throws {
        try await withSilent(["127.0.1.1", "127.0.2.1", "127.0.3.1"]) { endpoints in
            let run = try await Binary.run(arguments(endpoints))
            #expect(run.code == 0 && run.output == "" && run.errors == "")
        }
        #expect(try round().round.marks == .outage)
        #expect(try samples(.init()).isEmpty)
        #expect(try rollups().isEmpty)
        let kept = try samples(.init(includesMarked: true))
        #expect(kept.map(\.observation.outcome) == [.timeout, .timeout, .timeout])
    }

    @Test func `silence from one network is not an outage`() async throws {
        try await withSilent(["127.0.1.1", "127.0.1.2", "127.0.1.3"]) { endpoints in
            let run = try await Binary.run(arguments(endpoints))
            #expect(run.code == 0)
        }
        #expect(try round().round.marks == [])
        #expect(try samples(.init()).count == 3)
    }

    /// Runs `body` while resolvers that never answer run at `addresses`. `body` receives their endpoints.
    private func withSilent(
        _ addresses: [String],
        endpoints: [String] = [],
        _ body: ([String]) async throws -> Void
    ) async throws {
        guard let address = addresses.first else { return try await body(endpoints) }
        try await withResponder(address: address) { _ in
            []
        } _: { responder in
            try await withSilent(
                Array(addresses.dropFirst()),
                endpoints: endpoints + ["\(responder.endpoint)"],
                body
            )
        }
    }

    #if os(Linux)
    private static let hasNamespaces: @Sendable () async throws -> Bool = {
        try await Program("unshare", package: "util-linux").run(["-n", "true"]).code == 0
    }

    @Test(.enabled("a network namespace may not be made here", hasNamespaces))
    func `a round without a network is offline, and prints nothing`() async throws {
        // In the new network namespace, even the loopback interface is down.
        let run = try await Program("unshare", package: "util-linux").run(
            ["-n", Program.dnstempo().path] + arguments(["127.0.0.1", "127.0.1.1", "127.0.2.1"]),
            environment: Binary.environment(home: folder.path)
        )
        #expect(run.code == 0 && run.output == "" && run.errors == "")
        #expect(try round().round.marks == .offline)
        let samples = try samples(.init())
        #expect(samples.map(\.observation.outcome) == [.offline, .offline, .offline])
        #expect(samples.allSatisfy { $0.observation.sent == nil })
        let counts = try rollups().map(\.counts)
        #expect(counts.allSatisfy { $0[.offline] == 1 && $0.sent == 0 })
    }

    private func hasLockOpen(_ process: ChildProcess) -> Bool {
        let (manager, place) = (FileManager.default, "/proc/\(process.pid)/fd")
        let descriptors = (try? manager.contentsOfDirectory(atPath: place)) ?? []
        return descriptors.contains { descriptor in
            let file = try? manager.destinationOfSymbolicLink(atPath: "\(place)/\(descriptor)")
            return file == "\(path).lock"
        }
    }

    @Test func `schedules that share a store wait for one another`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let arguments = arguments(["\(responder.endpoint)"])
            try await Binary.withRunning(arguments + ["--splay", "10000d"]) { first, _ in
                try #require(try await eventually(while: first) { hasLockOpen(first) })
                try await Binary.withRunning(arguments + ["--schedule", "a"]) { second, _ in
                    try #require(try await eventually(while: second) { hasLockOpen(second) })
                    #expect(responder.queries.isEmpty)
                    await first.stop()
                    #expect(await second.end() == .code(0))
                }
            }
            #expect(try round().round.marks == [])
        }
    }
    #endif

    @Test func `during the splay no query is sent and no other sample begins`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let arguments = arguments(["\(responder.endpoint)"])
            try await Binary.withRunning(arguments + ["--splay", "10000d"]) { process, _ in
                // The process that has the lock creates the store.
                let isMade = try await eventually(while: process) {
                    FileManager.default.fileExists(atPath: path)
                }
                try #require(isMade)
                let other = try await Binary.run(arguments)
                #expect(other.code == 75)
                #expect(other.errors.split(separator: "\n").count == 1)
                #expect(responder.queries.isEmpty)
                await process.stop()
                // The lock is released when its process ends.
                let next = try await Binary.run(arguments)
                #expect(next.code == 0)
            }
        }
    }

    @Test(arguments: ["x", "-1s", "5"])
    func `an invalid splay is rejected`(splay: String) async throws {
        let run = try await Binary.run(arguments(["127.0.0.1"]) + ["--splay=\(splay)"])
        #expect(run.code == 64)
        #expect(run.errors.hasPrefix("dnstempo: --splay: '\(splay)'"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}
