import Foundation
import Servers
import Testing

@Suite struct BootstrapTests {
    /// Runs `body` with unbound, which answers over TLS as dns.test. Over UDP, unbound answers with the
    /// addresses of dns.test, six.test and far.test. The address of far.test is outside the allowed networks.
    private func withServers(
        _ body: (_ plain: String, _ encrypted: UInt16, _ root: String) async throws -> Void
    ) async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        let port = try Loopback.freePort()
        let unbound = Unbound.unbound(
            records: [
                "dns.test. 300 IN A 127.0.0.1", "six.test. 300 IN AAAA ::1",
                "far.test. 300 IN A 192.0.2.1",
            ],
            settings: [
                "interface: 127.0.0.1@\(port)", "tls-port: \(port)",
                "tls-service-key: \"\(certificate.key)\"",
                "tls-service-pem: \"\(certificate.file)\"",
            ]
        )
        try await withServer(unbound) { server in
            try await body("\(server.endpoint)", port, authority.root)
        }
    }

    private func compare(_ arguments: [String]) async throws -> CommandOutput {
        try await Command.run(
            ["compare", "-d", "example.com", "--rounds", "2", "--rate", "20", "--format", "json"]
                + arguments
        )
    }

    @Test func `a host name is looked up once and kept as the resolver's name`() async throws {
        try await withServers { plain, port, root in
            let name = "tls://DNS.test:\(port)"
            let run = try await compare([
                name, "--bootstrap", plain, "--ca", root, "--connections", "reuse",
            ])
            #expect(run.code == 0, "\(run.errors)")
            let resolver = try #require(try JSON(run.output).resolvers.first)
            #expect(resolver["name"] as? String == name)
            #expect(resolver["endpoint"] as? String == "127.0.0.1:\(port)#dns.test")
            #expect(resolver["answered"] as? Int == 2)
        }
    }

    @Test func `host names of plain resolvers are looked up too`() async throws {
        try await withServers { plain, _, _ in
            let port = try #require(plain.split(separator: ":").last)
            for name in ["dns.test:\(port)", "x=tcp://dns.test:\(port)"] {
                let run = try await compare([name, "--bootstrap", plain])
                #expect(run.code == 0, "\(run.errors)")
                let resolver = try #require(try JSON(run.output).resolvers.first)
                #expect(resolver["endpoint"] as? String == "127.0.0.1:\(port)")
                #expect(resolver["answered"] as? Int == 2)
            }
            let none = try await compare(["none.test:53", "--bootstrap", plain])
            #expect(none.code == 69)
            #expect(
                none.errors
                    == "dnstempo: 'none.test' has no address, says \(plain); write its address\n"
            )
        }
    }

    @Test func `localhost is this machine, and no nameserver is queried`() async throws {
        try await withServers { plain, port, _ in
            let closed = "127.0.0.1:\(try Loopback.freePort())"
            for more in [[], ["--bootstrap", closed]] {
                let run = try await compare(["localhost:\(port)", plain] + more)
                #expect(run.code == 0, "\(run.errors)")
                let resolver = try JSON(run.output).resolver("localhost:\(port)")
                #expect(resolver["endpoint"] as? String == "127.0.0.1:\(port)")
                #expect(resolver["answered"] as? Int == 2)
            }
        }
    }

    @Test func `a looked-up address outside the allowed networks is not queried`() async throws {
        try await withServers { plain, port, root in
            let run = try await compare([
                plain, "far=tls://far.test:\(port)", "--bootstrap", plain, "--ca", root,
                "--connections", "reuse",
            ])
            #expect(run.code == 0, "\(run.errors)")
            let far = try JSON(run.output).resolver("far")
            #expect(far["endpoint"] as? String == "192.0.2.1:\(port)#far.test")
            #expect(far["sent"] as? Int == 0)
            #expect((far["blocked"] as? Int ?? 0) > 0, "\(far)")
        }
    }

    @Test func `options -4 and -6 choose the address family`() async throws {
        try await withServers { plain, port, root in
            let name = "tls://six.test:\(port)"
            let run = try await compare([name, "-4", "--bootstrap", plain, "--ca", root])
            #expect(run.code == 69)
            #expect(
                run.errors
                    == "dnstempo: 'six.test' has no IPv4 address, says \(plain); write its address,"
                    + " as in tls://ADDRESS#six.test\n"
            )
            // No server listens at this address. The look-up succeeds, and queries to the resolver fail.
            let six = try await compare([
                plain, "six=\(name)", "-6", "--bootstrap", plain, "--ca", root,
                "--connections", "reuse",
            ])
            #expect(six.code == 0, "\(six.errors)")
            let resolver = try JSON(six.output).resolver("six")
            #expect(resolver["endpoint"] as? String == "[::1]:\(port)#six.test")
        }
    }

    @Test func `an unknown host name fails with one line`() async throws {
        try await withServers { plain, _, root in
            let run = try await compare(["tls://none.test", "--bootstrap", plain, "--ca", root])
            #expect(run.code == 69)
            #expect(
                run.errors
                    == "dnstempo: 'none.test' has no address, says \(plain); write its address,"
                    + " as in tls://ADDRESS#none.test\n"
            )
        }
    }

    @Test func `a sample whose look-up fails uses the last known address`() async throws {
        let folder = TemporaryFolder()
        let closed = "127.0.0.1:\(try Loopback.freePort())"
        try await withServers { plain, port, root in
            func sample(_ bootstrap: String) async throws -> CommandOutput {
                try await Command.run([
                    "sample", "tls://dns.test:\(port)", "-d", "example.com", "--ca", root,
                    "--connections", "reuse", "--bootstrap", bootstrap,
                    "--store", folder.file("s.sqlite"),
                ])
            }
            // No address is known before the first successful look-up.
            let first = try await sample(closed)
            #expect(first.code == 69)
            let reason =
                "dnstempo: --bootstrap: \(closed) gives no address of 'dns.test': Connection refused;"
                + " give another resolver, or write its address, as in tls://ADDRESS#dns.test"
            #expect(first.errors == reason + "\n")
            #expect(try await sample(plain).code == 0)
            let last = try await sample(closed)
            #expect(last.code == 0)
            #expect(last.errors == reason + "; asked at 127.0.0.1 as before\n")
            let samples = try await Command.run(["export", "--store", folder.file("s.sqlite")])
            let rows = samples.output.split(separator: "\n").dropFirst()
            #expect(rows.count == 2, "\(samples.errors)")
            for word in [",127.0.0.1:\(port)#dns.test,tls,", ",answered,"] {
                #expect(rows.allSatisfy { $0.contains(word) }, "\(rows)")
            }
        }
    }

    @Test(
        arguments: [
            ("tls://a.onion", "127.0.0.1:%", "'a.onion' is reached through Tor, and no"),
            ("x=https://A.onion./q", "127.0.0.1:%", "'a.onion.' is reached through Tor"),
            ("tls://a.invalid", "127.0.0.1:%", "'a.invalid' is a .invalid name, which does"),
            ("tls://a.alt", "127.0.0.1:%", "'a.alt' is a .alt name, which does not exist"),
            ("tls://a.local", "192.0.2.1", "'a.local' is a .local name of a private"),
            ("tls://dns.test", "192.0.2.1", "'dns.test' is a .test name of a private"),
            ("tls://a.home.arpa", "2001:db8::1", "'a.home.arpa' is a .home.arpa name of a"),
        ]
    )
    func `names outside public DNS are never queried`(
        resolver: String,
        bootstrap: String,
        beginning: String
    ) async throws {
        try await withResponder {
            [.reply($0.answer(addresses: [[127, 0, 0, 1]]))]
        } _: { responder in
            let place = bootstrap.replacing("%", with: "\(responder.endpoint.port)")
            let run = try await Command.run(
                ["compare", resolver, "--bootstrap", place, "-d", "example.com"],
                environment: ["DNSTEMPO_ALLOW_NET": "127.0.0.0/8,192.0.2.0/24,2001:db8::/32"]
            )
            #expect(run.code == 64 && run.output == "")
            #expect(run.errors.hasPrefix("dnstempo: \(beginning)"), "\(run.errors)")
            #expect(run.errors.count { $0 == "\n" } == 1)
            #expect(responder.queries.isEmpty)
        }
    }

    @Test func `without --bootstrap, a forbidden nameserver is not queried`() async throws {
        // The nameservers of all machines are outside this network.
        let run = try await Command.run(
            ["compare", "tls://dns.test"],
            environment: ["DNSTEMPO_ALLOW_NET": "127.99.0.0/16"]
        )
        #expect(run.code == 64)
        #expect(run.errors.hasPrefix("dnstempo: 'dns.test' is a host name, and this machine would"))
        #expect(
            run.errors.hasSuffix(
                " outside the allowed networks (127.99.0.0/16); name a resolver to ask with"
                    + " --bootstrap\n"
            )
        )
    }
}
