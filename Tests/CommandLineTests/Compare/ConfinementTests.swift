import Servers
import Testing

/// What the program does with little, and what it keeps to itself.
@Suite struct ConfinementTests {
    @Test func `at the limit of descriptors queries are late and not lost`() async throws {
        try await withResponder { query in
            [.pause(.milliseconds(300)), .reply(query.answer())]
        } _: { responder in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let command = try Program.dnstempo().path
            let run = try await Program("bash", package: "bash").run(
                [
                    "-c", "ulimit -n 64; exec \"$@\"", "bash", command, "compare",
                    "\(responder.endpoint)", "-d", "example.com", "--rounds", "300", "--warmup",
                    "0", "--rate", "3000", "--total-rate", "3000", "--timeout", "20s", "-q",
                    "--samples", "s.csv",
                ],
                environment: Binary.environment(home: folder.path),
                in: folder.path
            )
            #expect(run.code == 0)
            #expect(run.errors == "")
            let table = Table(folder.text("s.csv"))
            #expect(table.column("outcome") == Array(repeating: "answered", count: 300))
            // With 64 descriptors 300 queries are at least five waves of 300 ms.
            let latest = table.column("late_ms").compactMap(Double.init).max()
            #expect(try #require(latest) >= 1_000)
        }
    }

    private static let calls = ["-f", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o"]

    /// The addresses that a traced run named in a call.
    private func destinations(of arguments: [String]) async throws -> [String] {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try await Program("strace", package: "strace").run(
            Self.calls + [folder.file("trace"), Program.dnstempo().path, "compare", "-q"]
                + arguments,
            environment: Binary.environment(home: folder.path)
        )
        #expect(run.code == 0)
        #expect(run.errors == "")
        let trace = folder.text("trace")
        // A family that is not taken apart below would go unseen.
        let families = trace.matches(of: /sa_family=AF_([A-Z0-9]+)/).map { String($0.output.1) }
        #expect(Set(families).isSubset(of: ["INET", "INET6", "UNIX", "UNSPEC"]))
        let found = trace.matches(of: /inet_(?:addr\(|pton\(AF_INET6, )"([^"]+)"/)
        let inet = families.filter { $0.hasPrefix("INET") }
        #expect(found.count == inet.count)
        return found.map { String($0.output.1) }
    }

    @Test func `a hostile lab is asked on loopback alone`() async throws {
        let found = try await destinations(
            of: ["--lab", "hostile", "--rounds", "1", "--timeout", "500ms"]
        )
        #expect(found.count > 100)
        #expect(Set(found) == ["127.0.0.1"])
    }

    /// Each answer over UDP is cut, and each points to a name server and an address elsewhere.
    @Test func `where an answer points to is not asked`() async throws {
        try await withResponder { query in
            var answer = query.answer(
                truncated: query.transport == .udp,
                addresses: [[192, 0, 2, 99]]
            )
            // An authority: the name's own name server, ns.elsewhere.test.
            answer[9] = 1
            answer += [0xc0, 12, 0, 2, 0, 1, 0, 0, 1, 44, 0, 19, 2] + Array("ns".utf8)
            answer += [9] + Array("elsewhere".utf8) + [4] + Array("test".utf8) + [0]
            return [.reply(answer)]
        } _: { responder in
            let found = try await destinations(
                of: ["\(responder.endpoint)", "--allow-net", "127.0.0.0/8", "-d", "example.com"]
                    + ["--rounds", "3", "--rate", "50"]
            )
            #expect(responder.queries.contains { $0.transport == .tcp })
            // A query and what follows it over TCP, for the warm-up and three rounds.
            #expect(found.count >= 8)
            #expect(Set(found) == ["127.0.0.1"])
        }
    }
}
