import Servers
import Testing

/// Queries that leave from addresses and interfaces that are asked for.
@Suite struct SourceTests {
    private static let short = [
        "-d", "example.org", "--rounds", "2", "--warmup", "0", "--rate", "50", "--no-store",
        "--no-check", "--no-floor", "--format", "json",
    ]

    private func peers(_ responder: ScriptedResponder) -> [String] {
        responder.queries.map(\.peer.address).sorted()
    }

    @Test(arguments: ["", "tcp://"])
    func `a resolver is compared with itself over several sources`(scheme: String) async throws {
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            let run = try await Binary.run(
                ["compare", "it=\(scheme)\(responder.endpoint)", "--source", "127.0.0.2"]
                    + ["--source", "127.0.0.3"] + Self.short
            )
            #expect(run.code == 0, "\(run.errors)")
            let report = try JSON(run.output)
            for label in ["it@127.0.0.2", "it@127.0.0.3"] {
                let row = try report.resolver(label)
                #expect(row["answered"] as? Int == 2)
                #expect(row["endpoint"] as? String == "\(responder.endpoint)")
            }
            #expect(
                peers(responder) == ["127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.3"]
            )
        }
    }

    @Test func `a campaign names a source, and the store keeps it apart`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await withResponder { query in
            [.reply(query.answer())]
        } _: { responder in
            let campaign = try folder.write(
                """
                domains = ["example.org"]
                source = "127.0.0.9"
                [[resolver]]
                name = "it"
                address = "\(responder.endpoint)"
                """,
                to: "c.toml"
            )
            let store = folder.file("s.sqlite")
            let run = try await Binary.run(
                ["sample", "--campaign", campaign, "--store", store, "--no-check", "--rate", "50"]
            )
            #expect(run.code == 0, "\(run.errors)")
            #expect(Set(peers(responder)) == ["127.0.0.9"])
            let report = try await Binary.run(["report", store, "--format", "csv"])
            #expect(Table(report.output).column("name") == ["it@127.0.0.9"])
        }
    }

    static let refused = [
        BadInput(
            "compare 127.0.0.1:9 --source 192.0.2.77",
            "--source: 192.0.2.77 is no address of this machine; 'ip address' shows those"
        ),
        BadInput(
            "compare 127.0.0.1:9 --source nowhere0",
            "--source: nowhere0 is no interface of this machine; 'ip address' shows those"
        ),
        BadInput(
            "compare 127.0.0.1:9 --source a/b",
            "--source: 'a/b' is neither an address nor the name of an interface; write one that 'ip "
                + "address' shows"
        ),
        BadInput(
            "watch six=[::1]:9 --source 127.0.0.2",
            "--source 127.0.0.2: 'six' is at ::1: add an IPv6 address or an interface, or leave out "
                + "the resolver"
        ),
        BadInput(
            "compare 127.0.0.1:9 127.0.0.1:10 --source 127.0.0.2 --connect",
            "--connect connects from where the system chooses: leave out --source, or --connect"
        ),
        BadInput(
            "compare it=127.0.0.1:9 --source 127.0.0.2 --source 127.0.0.3 --baseline it",
            "--baseline: 'it' is not among the resolvers asked; choose one of it@127.0.0.2, "
                + "it@127.0.0.3"
        ),
    ]

    @Test(arguments: refused)
    func `what queries cannot leave from is refused`(input: BadInput) async throws {
        try await input.check()
    }
}
