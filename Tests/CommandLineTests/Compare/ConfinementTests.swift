import Servers
import Testing

/// The program under resource limits, and the addresses that the program sends to.
@Suite struct ConfinementTests {
    @Test func `at the descriptor limit, queries are late but not lost`() async throws {
        try await withResponder { query in
            [.pause(.milliseconds(1_500)), .reply(query.answer())]
        } _: { responder in
            let run = try await confined(
                ["\(responder.endpoint)", "--rounds", "300", "--timeout", "6s"]
            )
            // With 64 descriptors, 300 queries need at least five waves of 1.5 s. The last wave waits longer
            // than the timeout of an answer.
            #expect(run.lateness.count == 300)
            #expect(try #require(run.lateness.max()) >= 5_000)
        }
    }

    @Test func `waiting for a descriptor is not part of the connection time`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified()
        let responder = TLSResponder(.late, certificate, log: folder.file("log"))
        try await withServer(responder) { server in
            let run = try await confined(
                ["tls://\(server.endpoint)#dot.test", "--connections", "fresh"]
                    + ["--ca", authority.root, "--rounds", "250", "--timeout", "6s"]
            )
            // The queries need at least four waves of two seconds.
            #expect(run.lateness.count == 250)
            let connect = run.table.column("connect_ms").compactMap(Double.init)
            #expect(connect.count == 250)
            #expect(try #require(connect.max()) < 6_000)
        }
    }

    /// Compares with at most 64 descriptors. Expects that all queries are answered.
    private func confined(_ arguments: [String]) async throws -> (table: Table, lateness: [Double])
    {
        let folder = TemporaryFolder()
        let run = try await Program("bash", package: "bash").run(
            ["-c", "ulimit -n 64; exec \"$@\"", "bash", Program.dnstempo().path, "compare"]
                + arguments + ["-d", "example.com", "--warmup", "0", "--rate", "3000"]
                + ["--total-rate", "3000", "-q", "--samples", "s.csv"],
            environment: Binary.environment(home: folder.path),
            in: folder.path
        )
        #expect(run.code == 0)
        #expect(run.errors == "")
        let table = Table(folder.text("s.csv"))
        #expect(Set(table.column("outcome")) == ["answered"])
        return (table, table.column("late_ms").compactMap(Double.init))
    }

    /// Runs a program under a filter that rejects the call epoll_pwait2 (number 441 on every architecture)
    /// with EPERM (1). Containers with an older filter do the same.
    private static let refusal = """
        import ctypes, os, sys
        class Line(ctypes.Structure):
            _fields_ = [("code", ctypes.c_uint16), ("true", ctypes.c_uint8),
                        ("false", ctypes.c_uint8), ("value", ctypes.c_uint32)]
        class Program(ctypes.Structure):
            _fields_ = [("count", ctypes.c_uint16), ("lines", ctypes.c_void_p)]
        lines = (Line * 4)(Line(0x20, 0, 0, 0), Line(0x15, 0, 1, 441),
                           Line(6, 0, 0, 0x50001), Line(6, 0, 0, 0x7fff0000))
        program = Program(4, ctypes.addressof(lines))
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.prctl(38, 1, 0, 0, 0) == 0
        assert libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
        os.execv(sys.argv[1], sys.argv[1:])
        """

    @Test func `if a container rejects epoll_pwait2, an older wait call is used`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let folder = TemporaryFolder()
            let run = try await Program("python3", package: "python3").run(
                ["-c", Self.refusal, Program.dnstempo().path, "compare", "\(responder.endpoint)"]
                    + ["-d", "example.com", "--rounds", "3", "--rate", "50", "--no-store"]
                    + ["--timeout", "5s", "-q", "--samples", "s.csv"],
                environment: Binary.environment(home: folder.path),
                in: folder.path
            )
            #expect(run.code == 0, "\(run.errors)")
            let outcomes = Table(folder.text("s.csv")).column("outcome")
            #expect(outcomes == ["answered", "answered", "answered"])
        }
    }

    private static let calls = ["-f", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o"]

    /// The addresses in the network calls of a traced run.
    private func destinations(of arguments: [String]) async throws -> [String] {
        let folder = TemporaryFolder()
        let run = try await Program("strace", package: "strace").run(
            Self.calls + [folder.file("trace"), Program.dnstempo().path, "compare", "-q"]
                + arguments,
            environment: Binary.environment(home: folder.path)
        )
        #expect(run.code == 0)
        #expect(run.errors == "")
        let trace = folder.text("trace")
        // The patterns below would miss any other address family.
        let families = trace.matches(of: /sa_family=AF_([A-Z0-9]+)/).map { String($0.output.1) }
        #expect(Set(families).isSubset(of: ["INET", "INET6", "UNIX", "UNSPEC"]))
        let found = trace.matches(of: /inet_(?:addr\(|pton\(AF_INET6, )"([^"]+)"/)
        let inet = families.filter { $0.hasPrefix("INET") }
        #expect(found.count == inet.count)
        return found.map { String($0.output.1) }
    }

    @Test func `a hostile lab is queried only on loopback`() async throws {
        let found = try await destinations(
            of: ["--lab", "hostile", "--rounds", "1", "--timeout", "500ms"]
        )
        #expect(found.count > 100)
        #expect(Set(found) == ["127.0.0.1"])
    }

    /// Each answer names another name server and another address. Answers over UDP are also truncated.
    @Test func `servers named in an answer are not queried`() async throws {
        try await withResponder { query in
            var answer = query.answer(
                truncated: query.transport == .udp,
                addresses: [[192, 0, 2, 99]]
            )
            // An authority record: the name's own name server is ns.elsewhere.test.
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
            // Each query over UDP is repeated over TCP, in the warm-up and three rounds.
            #expect(found.count >= 8)
            #expect(Set(found) == ["127.0.0.1"])
        }
    }
}
