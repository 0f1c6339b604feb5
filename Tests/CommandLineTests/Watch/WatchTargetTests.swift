import Foundation
import Servers
import Testing

/// Hostile machines and programs to which a watch sends its rounds.
@Suite(.timeLimit(.minutes(2))) struct WatchTargetTests {
    private typealias Mode = HostileServer.Mode

    /// Returns the options that send every round to a server.
    private func options(_ mode: Mode, _ server: RunningServer) -> [String] {
        mode.isReceiver
            ? ["--remote-write", server.url(mode)]
            : ["--ship", server.url(mode), "--ship-every", "1ms"]
    }

    /// Waits for 20 more rounds, which are more than a watch stores while it waits for its target. Then ends
    /// the watch and checks its store.
    private func expectRounds(_ watch: WatchedLines) async throws {
        let count = watch.stored.count
        try await watch.wait { $0.stored.count >= count + 20 }
        watch.process.send(signal: SIGTERM)
        #expect(await watch.process.end() == .code(0))
        #expect(watch.stored == Array(1...watch.stored.count))
        let store = StoredFile(watch.folder.file("s.sqlite"))
        try await store.expectSound()
        #expect(try await store.info()["rounds"] as? Int == watch.stored.count)
    }

    @Test(arguments: [
        HostileServer.Mode.silent, .dripsGreeting, .dripsRow, .dripsNotices, .copiesIn, .floodsRows,
        .errs, .takesSilently, .dripsBody,
    ])
    func `rounds are stored despite a hostile target`(mode: HostileServer.Mode) async throws {
        let folder = TemporaryFolder()
        try await withServer(HostileServer(mode, log: folder.file("harm"))) { server in
            let lab = ["--lab", "meadow", "--store", "s.sqlite"]
            try await Binary.withWatch(lab + options(mode, server)) { watch in
                try await watch.wait { _ in !folder.text("harm").isEmpty }
                try await expectRounds(watch)
                #expect(!watch.errors.contains { $0.contains("\u{1B}") })
            }
        }
    }

    @Test func `a central store that was paused gets all later rounds`() async throws {
        let places = try CentralPlaces()
        try await withPostgreSQL { server in
            _ = try await places.run(["store", "init", "--store", server.url()])
            _ = try await places.run(["store", "enrol", "a", "--store", server.url()])
            let lab = ["--lab", "meadow", "--store", "s.sqlite"]
            let target = ["--ship", server.url("dnstempo_1"), "--ship-every", "1ms"]
            let rounds = "SELECT count(*) FROM dnstempo.round"
            try await Binary.withWatch(lab + target) { watch in
                try await watch.wait { $0.stored.count >= 2 }
                server.process.pause()
                let count = watch.stored.count
                try await watch.wait { $0.stored.count >= count + 10 }
                server.process.send(signal: SIGCONT)
                let isThere = try await eventually(while: watch.process) {
                    try await Int(server.psql(rounds)) ?? 0 >= count + 10
                }
                #expect(isThere, "\(watch.errors)")
                watch.process.send(signal: SIGTERM)
                #expect(await watch.process.end() == .code(0))
            }
        }
    }

    @Test func `rounds are stored during a notification, and SIGTERM ends it`() async throws {
        let folder = TemporaryFolder()
        let tell = try folder.writeProgram(
            "#!/bin/sh\necho $$ > \(folder.file("pid"))\nexec sleep 600\n",
            to: "tell"
        )
        try await withResponder {
            [.reply($0.answer())]
        } _: { good in
            try await withResponder {
                _ in
                []
            } _: { bad in
                let arguments = [
                    "good=\(good.endpoint)", "bad=\(bad.endpoint)", "--timeout", "200ms",
                    "-d", "example.org", "--store", "s.sqlite", "--no-check", "--notify", tell,
                ]
                try await Binary.withWatch(arguments) { watch in
                    try await watch.wait { _ in folder.text("pid").hasSuffix("\n") }
                    let pid = try #require(Int32(folder.text("pid").dropLast()))
                    let count = watch.stored.count
                    try await watch.wait { $0.stored.count >= count + 3 }
                    #expect(kill(pid, 0) == 0)
                    watch.process.send(signal: SIGTERM)
                    #expect(await watch.process.end() == .code(0))
                    #expect(try await eventually { kill(pid, 0) != 0 })
                }
            }
        }
    }
}
