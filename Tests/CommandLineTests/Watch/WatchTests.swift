import Foundation
import Servers
import Testing

/// `watch`, which runs rounds on a schedule in the foreground.
@Suite struct WatchTests {
    private let folder = TemporaryFolder()

    private func rounds(_ store: String) async throws -> [Int] {
        try await StoredFile(store).query("SELECT number FROM round ORDER BY number")
            .split(separator: "\n").compactMap { Int($0) }
    }

    @Test func `a watch ends after its rounds and stores each under its schedule`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let folder = TemporaryFolder()
            let store = folder.file("s.sqlite")
            let run = try await Command.succeedSilently(
                ["watch", "\(responder.endpoint)", "-d", "example.com", "--rate", "50"]
                    + ["--interval", "150ms", "--rounds", "3", "--store", store]
            )
            let lines = run.output.split(separator: "\n")
            #expect(lines.count == 4)
            for (index, line) in lines.prefix(3).enumerated() {
                #expect(line.hasPrefix("round \(index + 1) at "))
                #expect(line.hasSuffix(": 1 answered; stored"))
            }
            #expect(lines.last?.hasPrefix("3 rounds stored in '\(store)'") == true)
            let stored = StoredFile(store)
            #expect(try await stored.query("SELECT origin, interval FROM run") == "1|150000000\n")
            #expect(try await rounds(store) == [1, 2, 3])
            // Each round has one warm-up query and one counted query.
            #expect(responder.queries.count == 6)
            try await Command.succeed(["store", "check", "--store", store])
        }
    }

    @Test func `a round is stored before its line is printed`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            try await Binary.withWatch(["\(responder.endpoint)", "--store", "s.sqlite"]) { watch in
                var seen = 0
                while seen < 5 {
                    try await watch.wait { $0.stored.count > seen }
                    let announced = watch.stored
                    let found = try await rounds(watch.folder.file("s.sqlite"))
                    #expect(found.starts(with: announced))
                    try #require(announced == Array(1...announced.count))
                    seen = announced.count
                }
            }
        }
    }

    @Test(arguments: [(signal: SIGTERM, code: Int32(0)), (SIGINT, Int32(130))])
    func `a signal ends a watch with all rounds stored`(signal: Int32, code: Int32) async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            try await Binary.withWatch(["\(responder.endpoint)", "--store", "s.sqlite"]) { watch in
                try await watch.wait { $0.stored.count >= 3 }
                watch.process.send(signal: signal)
                #expect(await watch.process.end() == .code(code))
                let store = watch.folder.file("s.sqlite")
                #expect(try await rounds(store) == watch.stored)
                let count = watch.stored.count
                #expect(watch.output.last?.hasPrefix("\(count) rounds stored in") == true)
                #expect(watch.errors == [])
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `an unfinished round is not stored`(signal: Int32) async throws {
        let (asked, announce) = AsyncStream<Void>.makeStream()
        try await withResponder { query in
            // The first name gets an answer. The second name gets no answer.
            announce.yield()
            return query.question.count == 17 ? [.reply(query.answer())] : []
        } _: { responder in
            let arguments = [
                "\(responder.endpoint)", "-d", "a.example.net", "--warmup", "0", "--timeout", "60s",
                "--store", "s.sqlite",
            ]
            try await Binary.withWatch(arguments) { watch in
                var count = 0
                for await _ in asked {
                    count += 1
                    if count == 2 { break }
                }
                watch.process.send(signal: signal)
                let code: Int32 = signal == SIGINT ? 130 : 0
                #expect(await watch.process.end() == .code(code))
                #expect(watch.output == ["0 rounds stored in 's.sqlite'"])
                let stored = try await rounds(watch.folder.file("s.sqlite"))
                #expect(stored == [])
            }
        }
    }

    @Test func `dead resolvers are recorded without an error`() async throws {
        let dead = "127.0.0.1:\(try Loopback.freePort())"
        let run = try await Command.succeedSilently(
            ["watch", dead, "-d", "example.com", "--rate", "50", "--interval", "50ms"]
                + ["--rounds", "2", "--store", folder.file("s.sqlite")]
        )
        let lines = run.output.split(separator: "\n")
        #expect(lines.prefix(2).allSatisfy { $0.hasSuffix(": 0 answered, 1 unreachable; stored") })
    }

    /// Rounds begin every 50 ms, while queries wait up to 60 s for an answer.
    @Test func `a silent resolver does not delay later rounds`() async throws {
        let (asked, announce) = AsyncStream<Void>.makeStream()
        try await withResponder { query in
            announce.yield()
            return []
        } _: { responder in
            let arguments = ["\(responder.endpoint)", "--warmup", "0", "--timeout", "60s"]
            try await Binary.withWatch(arguments) { watch in
                var rounds = 0
                for await _ in asked {
                    rounds += 1
                    if rounds == 5 { break }
                }
                // Five queries were sent, and the first query still waits for its answer.
                #expect(rounds == 5)
                #expect(watch.output == [])
            }
        }
    }

    @Test func `a watch of the lab stores nothing unless a store is named`() async throws {
        let lab = ["watch", "--lab", "meadow", "-d", "example.com"]
        let run = try await Command.succeedSilently(
            lab + ["--interval", "50ms", "--rounds", "2"],
            in: folder.path
        )
        let lines = run.output.split(separator: "\n")
        #expect(lines.prefix(2).allSatisfy { $0.hasSuffix("; measured") })
        #expect(lines.last?.hasPrefix("2 rounds measured") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        // A watch omits a round that is late by more than a quarter of the interval. The watch ends early if
        // no other round begins within its duration.
        let kept = try await Command.run(
            lab + ["--interval", "60s", "--duration", "30s", "--store", "s.sqlite", "-q"],
            in: folder.path
        )
        #expect(kept.code == 0 && kept.output == "" && kept.errors == "")
        #expect(try await rounds(folder.file("s.sqlite")) == [1])
    }

    @Test func `the campaign of 2009 queries its names every half minute`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let folder = TemporaryFolder()
            let labels = ["rds", "romtelecom", "google", "opendns"]
            try await Command.succeedSilently(
                ["watch", "--campaign", "2009-is-8888-faster", "--rate", "100", "--rounds", "1"]
                    + ["--no-check"]
                    + labels.map { "\($0)=\(responder.endpoint)" }
                    + ["--store", folder.file("s.sqlite")]
            )
            let stored = StoredFile(folder.file("s.sqlite"))
            #expect(try await stored.query("SELECT interval FROM run") == "30000000000\n")
            let names = try await stored.query("SELECT name FROM question ORDER BY name")
            #expect(names == "google.com\nwikipedia.org\nyahoo.com\n")
            let found = try await stored.query("SELECT label FROM target ORDER BY id")
            #expect(Set(found.split(separator: "\n").map(String.init)) == Set(labels))
        }
    }

    @Test func `no interval is shorter than the rate allows`() async throws {
        try await Command.succeedSilently(
            ["watch", "127.0.0.1:\(try Loopback.freePort())", "-d", "example.com", "--rate", "10"]
                + ["--interval", "1ms", "--rounds", "2", "--store", folder.file("s.sqlite")]
        )
        // A warm-up query and a counted query take 200 ms at ten queries per second.
        let interval = try await StoredFile(folder.file("s.sqlite"))
            .query("SELECT interval FROM run")
        #expect(interval == "200000000\n")
    }

    @Test func `a watch ends when its output is closed`() async throws {
        let watch = [
            try Program.dnstempo().path, "watch", "--lab", "meadow", "-d", "example.com",
            "--interval", "50ms",
        ]
        let run = try await Program("sh", package: "dash").run(
            ["-c", "\"$@\" | head -n 2", "sh"] + watch,
            environment: Binary.environment(home: folder.path)
        )
        #expect(run.code == 0 && run.errors == "")
        #expect(run.output.split(separator: "\n").count == 2)
    }
}
