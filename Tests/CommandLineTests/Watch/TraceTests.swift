import Foundation
import Servers
import Synchronization
import Testing

/// `watch --trace`, which traces the path to a resolver that has a problem.
#if os(Linux)
@Suite(.timeLimit(.minutes(2))) struct TraceTests {
    private let folder = TemporaryFolder()

    private static let options = [
        "--trace", "--no-check", "-d", "example.com", "-d", "example.org", "--timeout", "2s",
        "--interval", "0s", "--store", "s.sqlite",
    ]

    private func watch(_ resolvers: [String], _ options: [String] = []) async throws
        -> CommandOutput
    {
        try await Command.run(
            ["watch"] + Self.options + ["--rounds", "3"] + options + resolvers,
            in: folder.path
        )
    }

    private func rows() async throws -> [[String]] {
        try await StoredFile(folder.file("s.sqlite"))
            .query("SELECT ending, hops, coalesce(site, '') FROM trace ORDER BY time")
            .split(separator: "\n").map { $0.components(separatedBy: "|") }
    }

    @Test func `a closed port of this machine is one hop, and traced once per hour`() async throws {
        try await withResponder {
            [.reply($0.answer())]
        } _: { good in
            let resolvers = ["good=\(good.endpoint)", "bad=127.0.0.1:\(try Loopback.freePort())"]
            let run = try await watch(resolvers)
            #expect(run.code == 0)
            let line =
                /dnstempo: bad is unreachable. Path: 127.0.0.1 [0-9.]+ ms; reached at hop 1, no DNS over UDP at its port.\n/
            #expect(run.errors.wholeMatch(of: line) != nil, "\(run.errors)")
            // A watch that restarts within the hour does not trace again.
            let again = try await watch(resolvers)
            #expect(again.code == 0 && again.errors == "", "\(again.errors)")
            let rows = try await rows()
            #expect(rows.count == 1 && rows[0][0] == "closed")
            try await StoredFile(folder.file("s.sqlite")).expectSound()
        }
    }

    @Test func `Ctrl-C ends a trace at once and discards it`() async throws {
        struct Trap {
            var process: ChildProcess?
            var ports: Set<UInt16> = []
        }
        let trap = Mutex(Trap())
        try await withResponder {
            [.reply($0.answer())]
        } _: { good in
            try await withResponder { query in
                // All queries of a trace use one port. Every other query has its own port.
                trap.withLock {
                    if !$0.ports.insert(query.peer.port).inserted {
                        $0.process?.send(signal: SIGINT)
                    }
                }
                return []
            } _: { bad in
                // A trace sends ten queries, and waits for each up to a second.
                var options = Self.options
                options.replace(["s.sqlite"], with: [folder.file("s.sqlite")])
                let arguments = ["watch", "good=\(good.endpoint)", "bad=\(bad.endpoint)"] + options
                try await Binary.withRunning(arguments) { process, home in
                    trap.withLock { $0.process = process }
                    #expect(await process.end() == .code(130))
                    #expect(home.text("errors") == "")
                }
                #expect(try await rows().isEmpty)
            }
        }
    }

    @Test(arguments: [
        (["127.0.0.1", "--no-store"], "paths are kept in a store"),
        (["--lab"], "name one with --store"),
    ])
    func `tracing without a store is rejected`(options: [String], message: String) async throws {
        let run = try await Command.run(["watch", "--trace"] + options, in: folder.path)
        #expect(run.code == 64)
        #expect(run.errors.contains(message) && run.errors.split(separator: "\n").count == 1)
    }
}

/// Traces of paths through routers.
@Suite(
    .enabled("a network of its own needs permission") { await RoutedNetwork.isPermitted },
    .timeLimit(.minutes(3))
)
struct RoutedTraceTests {
    private let folder = TemporaryFolder()

    /// Runs a watch for two rounds. Returns its standard error and its first notice.
    private func watch(
        _ resolvers: [String],
        in network: RoutedNetwork = RoutedNetwork()
    ) async throws -> (errors: String, notice: [String: Any]) {
        let tell = try folder.writeProgram(
            "#!/bin/sh\ncat > \"\(folder.file("told"))\"\n",
            to: "tell"
        )
        let run = try await network.run(
            Program.dnstempo(),
            [
                "watch", "--trace", "--notify", tell, "--no-check", "-d", "example.com", "-d",
                "example.org", "--timeout", "2s", "--interval", "0s", "--rounds", "2",
                "--store", "s.sqlite",
            ] + resolvers,
            environment: Binary.environment(home: folder.path).merging([
                "DNSTEMPO_ALLOW_NET": RoutedNetwork.allowed
            ]) { $1 },
            in: folder.path
        )
        #expect(run.code == 0, "\(run)")
        Documents.keep(folder.read("told"), of: ["watch", "--notify"])
        let notices = try JSON(folder.text("told"))["notices"] as? [[String: Any]]
        try await StoredFile(folder.file("s.sqlite")).expectSound()
        return (run.errors, try #require(notices?.first))
    }

    private func hops(_ trace: [String: Any]) -> [String?] {
        (trace["hops"] as? [[String: Any]] ?? []).map { $0["address"] as? String }
    }

    @Test(arguments: [true, false])
    func `a path to a silent resolver ends at the last answering router`(isV6: Bool) async throws {
        try folder.write("", to: RoutedNetwork.silence)
        let (far, other) = (RoutedNetwork.far, RoutedNetwork.other)
        let resolvers =
            isV6
            ? ["far=[\(far.v6)]:53", "other=[\(other.v6)]:53"]
            : ["far=\(far.v4)", "other=\(other.v4)"]
        let (errors, notice) = try await watch(resolvers)
        let routers = isV6 ? RoutedNetwork.routers.v6 : RoutedNetwork.routers.v4
        let line = try Regex(
            "dnstempo: far is unreachable\\. Path: \(routers[0]) [0-9.]+ ms, \(routers[1]) [0-9.]+ ms; "
                + "no answer beyond hop 2\\.\n"
        )
        #expect(errors.wholeMatch(of: line) != nil, "\(errors)")
        #expect((notice["text"] as? String)?.hasSuffix("no answer beyond hop 2.") == true)
        let trace = try #require(notice["trace"] as? [String: Any])
        #expect(hops(trace) == routers + [nil, nil, nil, nil, nil])
        #expect(trace["end"] as? String == "silent" && trace["round"] as? Int == 2)
        // The resolver's machine accepts TCP connections at another port.
        #expect(trace["network_rtt_ms"] is Double && trace["site"] is NSNull)
    }

    @Test(arguments: ["192.0.2.77", "[2001:db8:1::77]:53"])
    func `a neighbour that is not resolved by ARP has no path`(neighbour: String) async throws {
        let (errors, notice) = try await watch(
            ["near=\(neighbour)", "other=\(RoutedNetwork.other.v4)"]
        )
        #expect(errors == "dnstempo: near is unreachable. Path: no query could be sent.\n")
        let trace = try #require(notice["trace"] as? [String: Any])
        #expect(hops(trace) == [] && trace["end"] as? String == "unsent")
    }

    @Test func `a silent router counts as a hop`() async throws {
        // No server accepts TCP connections at this port. A server answers UDP queries at this port.
        let (errors, notice) = try await watch(
            ["far=tcp://\(RoutedNetwork.far.v4)", "other=\(RoutedNetwork.other.v4)"],
            in: RoutedNetwork(hasSilentRouter: true)
        )
        #expect(errors.contains(" ms, no answer at hop 2, 203.0.113.53 "), "\(errors)")
        #expect(errors.hasSuffix("; reached at hop 3, site ams1.\n"), "\(errors)")
        let trace = try #require(notice["trace"] as? [String: Any])
        #expect(hops(trace) == ["192.0.2.1", nil, "203.0.113.53"])
        #expect(trace["end"] as? String == "answered" && trace["site"] as? String == "ams1")
        #expect(trace["network_rtt_ms"] is Double)
    }

    @Test func `a trace to a TLS port reaches the resolver`() async throws {
        let (errors, notice) = try await watch(
            ["far=tls://\(RoutedNetwork.far.v4)#dot.test", "other=\(RoutedNetwork.other.v4)"]
        )
        #expect(errors.hasSuffix("reached at hop 3, no DNS over UDP at its port.\n"), "\(errors)")
        let trace = try #require(notice["trace"] as? [String: Any])
        #expect(trace["end"] as? String == "closed")
        #expect(hops(trace) == RoutedNetwork.routers.v4 + [RoutedNetwork.far.v4])
    }
}
#endif
