import Foundation
import Servers
import Testing

/// A dashboard whose store gets new rounds while pages are open.
@Suite struct ServeSamplingTests {
    private let folder = TemporaryFolder()
    private static let lab = ["--lab", "-d", "example.com", "--sample-every", "200ms"]

    /// The number of rounds that the dashboard shows.
    private func rounds(_ served: Served) async throws -> Int {
        try #require(try await served.json("/api/overview")["rounds"] as? Int)
    }

    private func storedRounds(_ store: String) async throws -> Int {
        let run = try await Binary.run(["store", "info", "--store", store, "--format", "json"])
        let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        return try #require((value as? [String: Any])?["rounds"] as? Int)
    }

    @Test func `open pages are notified of new rounds, and can load them`() async throws {
        try await Binary.withServe(Self.lab) { served in
            let looking = try RawHTTP(served.address)
            looking.send("GET /events HTTP/1.1\r\nHost: \(served.address)\r\n\r\n")
            let before = try await rounds(served)
            let told = await looking.receive { reply in
                reply.text.components(separatedBy: "event: edition").count > 3
            }
            #expect(told.status == 200 && !told.isClosed)
            #expect(told.field("content-type") == "text/event-stream")
            #expect(try await rounds(served) > before)
            #expect(served.errors == "")
        }
    }

    @Test func `a baseline need not be the current resolver`() async throws {
        try await Binary.withServe(Self.lab + ["--baseline", "brook"]) { served in
            let isMeasured = try await eventually { try await rounds(served) > 0 }
            #expect(isMeasured)
            #expect(try await served.json("/api/overview")["in_use"] as? String == "harbour")
            let page = try await served.ask("/compare").body
            #expect(page.contains("<option value=\"brook\" selected>"))
        }
    }

    @Test func `a dashboard ignores the number of rounds in a campaign`() async throws {
        let campaign = try folder.write("rounds = 1\n", to: "c.toml")
        try await Binary.withServe(Self.lab + ["--campaign", campaign]) { served in
            let goesOn = try await eventually { try await rounds(served) >= 3 }
            #expect(goesOn)
        }
    }

    @Test(.enabled("needs a mount") { await SmallDisk.isPermitted })
    func `a dashboard without write access shows rounds of other processes`() async throws {
        let store = folder.file("s.sqlite")
        let sample = ["sample", "--lab", "meadow", "-d", "example.com", "--store", store]
        #expect(try await Binary.run(sample).code == 0)
        try await SmallDisk.withView(of: folder.path) { view in
            try await Binary.withServe(of: view.file("s.sqlite")) { served in
                let before = try await rounds(served)
                let another = try await Binary.run(sample)
                #expect(before == 1 && another.code == 0)
                // A page that is read while the other process writes shows an error instead.
                #expect(try await eventually { (try? await rounds(served)) == 2 })
            }
        }
    }

    @Test func `open pages are notified of the present state`() async throws {
        let samples = try Rounds(start: "2026-03-16T00:00:00Z", count: 5).file { _ in .answer(7) }
        try await Binary.withServe(samples: samples) { served in
            let page = try await served.ask("/").body
            let shown = try #require(page.firstMatch(of: #/<main[^>]* data-edition="(\d+)"/#)?.1)
            let looking = try RawHTTP(served.address)
            looking.send("GET /events HTTP/1.1\r\nHost: \(served.address)\r\n\r\n")
            let told = await looking.receive { $0.text.contains("event: edition\n") }
            #expect(told.text.contains("data: \(shown)\n"), "\(told.text)")
        }
    }

    @Test func `a closed connection makes room for another connection`() async throws {
        let samples = try Rounds(start: "2026-03-16T00:00:00Z", count: 5).file { _ in .answer(7) }
        try await Binary.withServe(samples: samples) { served in
            func look() async throws -> (RawHTTP, isServed: Bool) {
                let looking = try RawHTTP(served.address)
                looking.send("GET /events HTTP/1.1\r\nHost: \(served.address)\r\n\r\n")
                // The client reads the whole reply. Closing a connection with unread data would reset it.
                let reply = await looking.receive {
                    $0.text.contains("\n\n") || $0.isWhole
                }
                return (looking, reply.status == 200)
            }
            var looking: [RawHTTP] = []
            while case (let one, true) = try await look() { looking.append(one) }
            #expect(looking.count == 64)
            looking = []
            var tries = 0
            while try await !look().isServed, tries < 200 { tries += 1 }
            #expect(tries < 200)
        }
    }

    @Test func `another process that stores rounds and ends removes no rounds`() async throws {
        let imported = try Rounds(start: "2026-03-16T00:00:00Z", count: 5).file { _ in .answer(7) }
        try await Binary.withServe(Self.lab) { served in
            while try await rounds(served) < 2 {}
            let file = try served.folder.write(imported, to: "other.csv")
            try await Binary.succeed(["store", "import", file, "--store", served.store])
            let before = try await rounds(served)
            var count = before
            while count < before + 5, !served.process.hasEnded { count = try await rounds(served) }
            #expect(try await storedRounds(served.store) >= count + 5)
            served.process.send(signal: SIGTERM)
            #expect(await served.process.end() == .code(0))
            try await StoredFile(served.store).expectSound()
            #expect(try await storedRounds(served.store) >= count + 5)
        }
    }

    @Test func `rounds continue while clients hold unfinished requests`() async throws {
        try await Binary.withServe(Self.lab) { served in
            let held = try (0..<300).map { number in
                let connection = try RawHTTP(served.address)
                connection.send(number % 2 == 0 ? "GET / HTTP/1.1\r\nHos" : "")
                return connection
            }
            let start = try await storedRounds(served.store)
            var count = start
            while count < start + 5, !served.process.hasEnded {
                count = try await storedRounds(served.store)
            }
            #expect(count >= start + 5)
            #expect(held.count == 300)
            served.process.send(signal: SIGTERM)
            #expect(await served.process.end() == .code(0))
            #expect(served.errors == "")
        }
    }

    @Test func `a dashboard's rounds go to the same targets as a watch's`() async throws {
        let script = "#!/bin/sh\ncat >> '\(folder.file("told"))'\n"
        let options = [
            "bad=127.0.0.1:9", "-d", "example.com", "--timeout", "2s", "--sample-every", "200ms",
            "--no-check", "--notify", try folder.writeProgram(script, to: "tell"), "--textfile",
            folder.file("dns.prom"), "--remote-write", "http://127.0.0.1:9/api/v1/write", "--ship",
            "postgresql://127.0.0.1:9/dns",
        ]
        try await withResponder {
            [.reply($0.answer())]
        } _: { good in
            try await Binary.withServe(options + ["good=\(good.endpoint)"]) { served in
                let isTold = try await eventually {
                    folder.text("told").contains("\"unreachable\"")
                        && folder.text("dns.prom").contains("dnstempo_")
                        && served.errors.contains("remote-write receiver at 127.0.0.1:9")
                }
                #expect(isTold, "\(served.errors)")
                served.process.send(signal: SIGTERM)
                #expect(await served.process.end() == .code(0))
            }
        }
    }

    @Test(arguments: [
        (arguments: ["quad9"], words: "add --sample-every 1m"),
        (["--lab"], "add --sample-every 1m"),
        (["--sample-every", "soon"], "--sample-every: 'soon' is not a duration"),
        (["--sample-every", "1m", "--interval", "1m"], "--interval: serve runs rounds"),
        (["--lab", "--sample-every", "1m"], "name a store with --store"),
        (["--sample-every", "1m", "no.such.resolver.here"], "no.such.resolver.here"),
        (["--notify", "desktop"], "add --sample-every 1m"), (["--trace"], "add --sample-every 1m"),
        (["--ship", "postgresql://127.0.0.1/x"], "add --sample-every 1m"),
        (["--remote-write", "http://127.0.0.1:9/w"], "add --sample-every 1m"),
        (["--textfile", "dns.prom"], "add --sample-every 1m"),
        (["--sample-every", "1m", "127.0.0.1", "--notify", "./none"], "--notify: './none'"),
        (["--sample-every", "1m", "127.0.0.1", "--textfile", "-"], "--textfile: '-'"),
    ])
    func `a sampling error is reported in one line`(
        arguments: [String],
        words: String
    ) async throws {
        let run = try await Binary.run(["serve"] + arguments)
        #expect(run.code == 64)
        #expect(run.errors.contains(words) && run.errors.split(separator: "\n").count == 1)
    }
}
