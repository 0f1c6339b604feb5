import Servers
import Testing

/// `resolvers detect --discover` with unbound, which designates itself and other servers (RFC 9462).
@Suite struct DiscoverTests {
    private struct Places {
        var plain: String
        /// Another address of the same server. The server's certificate does not contain this address.
        var unnamed: String
        var tls: UInt16
        var https: UInt16
        var root: String
    }

    private func withServer(
        _ records: (Places) -> [String],
        _ body: (Places) async throws -> Void
    ) async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        var places = Places(
            plain: "",
            unnamed: "127.0.0.2:\(try Loopback.freePort())",
            tls: try Loopback.freePort(),
            https: try Loopback.freePort(),
            root: authority.root
        )
        let unbound = Unbound.unbound(
            records: records(places).map { "_dns.resolver.arpa. 300 IN SVCB \($0)" }
                + ["dns.test. 300 IN A 127.0.0.1"],
            settings: [
                "interface: \(places.unnamed.replacing(":", with: "@"))",
                "interface: 127.0.0.1@\(places.tls)", "tls-port: \(places.tls)",
                "interface: 127.0.0.1@\(places.https)", "https-port: \(places.https)",
                "tls-service-key: \"\(certificate.key)\"",
                "tls-service-pem: \"\(certificate.file)\"",
            ]
        )
        try await Servers.withServer(unbound) { server in
            places.plain = "\(server.endpoint)"
            try await body(places)
        }
    }

    /// Returns the cells of the table's rows, without the header.
    private func discover(_ resolver: String, _ places: Places) async throws -> [[Substring]] {
        let run = try await Command.succeed([
            "resolvers", "detect", "--discover", resolver, "--ca", places.root,
        ])
        return run.output.split(separator: "\n").dropFirst().map { line in
            line.split(separator: #/ {2,}/#)
        }
    }

    @Test func `designations are verified by certificate, or a reason is shown`() async throws {
        try await withServer { places in
            [
                "1 dns.test. alpn=dot port=\(places.tls) ipv4hint=127.0.0.1",
                "2 dns.test. alpn=h2 port=\(places.https) ipv4hint=127.0.0.1 "
                    + "key7=/dns-query{?dns}",
                "3 dns.test. alpn=dot port=\(places.tls)",
                "4 other.test. alpn=dot port=\(places.tls) ipv4hint=127.0.0.1",
                "5 dns.test. alpn=http/1.1 ipv4hint=127.0.0.1",
            ]
        } _: { places in
            let rows = try await discover("mine=\(places.plain)", places)
            let name = Substring("mine (\(places.plain))")
            let own = Substring("tls://127.0.0.1:\(places.tls)#dns.test")
            let vouched = Substring("yes, its certificate names 127.0.0.1")
            #expect(
                rows == [
                    [name, own, vouched],
                    [name, "https://127.0.0.1:\(places.https)#dns.test", vouched],
                    [name, own, vouched],
                    [
                        name, "tls://127.0.0.1:\(places.tls)#other.test",
                        "no, but it is at the same private address: the certificate is for "
                            + "dns.test, 127.0.0.1, not for other.test",
                    ],
                ]
            )
            // The discovered resolver can be queried.
            try await Command.succeed([
                "compare", String(own), "--ca", places.root, "-d", "example.com", "--rounds", "1",
            ])
        }
    }

    @Test func `designations that cannot be queried are reported`() async throws {
        try await withServer { _ in
            ["1 far.test. alpn=dot ipv4hint=10.0.2.7", "2 none.test. alpn=dot"]
        } _: { places in
            let rows = try await discover(places.plain, places)
            #expect(
                rows.map { $0.dropFirst() } == [
                    ["tls://10.0.2.7#far.test", "not checked: outside the allowed networks"],
                    ["tls://none.test", "not checked: its name has no address"],
                ]
            )
        }
    }

    #if QUIC
    @Test(arguments: [
        (QUICResponder.Application.doq, "doq", "", "quic"),
        (.h3, "h3", "key7=/a{?dns}", "h3"),
    ])
    func `designations over QUIC are verified by the certificate`(
        application: QUICResponder.Application,
        name: String,
        path: String,
        scheme: String
    ) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        let log = folder.file("log")
        let responder = QUICResponder(application, .plain, certificate, log: log)
        try await Servers.withServer(responder) { server in
            let closed = try Loopback.freePort()
            let parameters = "alpn=\(name) ipv4hint=127.0.0.1 \(path)"
            let records = [
                "1 dns.test. port=\(server.port) \(parameters)",
                "2 other.test. port=\(server.port) \(parameters)",
                "3 dns.test. port=\(closed) \(parameters)",
            ]
            let unbound = Unbound.unbound(
                records: records.map { "_dns.resolver.arpa. 300 IN SVCB \($0)" }
            )
            try await Servers.withServer(unbound) { plain in
                let place = application == .h3 ? "/a" : ""
                let own = "\(scheme)://127.0.0.1:\(server.port)\(place)#dns.test"
                let expected = [
                    [own, "yes, its certificate names 127.0.0.1"],
                    [
                        "\(scheme)://127.0.0.1:\(server.port)\(place)#other.test",
                        "no, but it is at the same private address: the certificate is for "
                            + "dns.test, 127.0.0.1, not for other.test",
                    ],
                    [
                        "\(scheme)://127.0.0.1:\(closed)\(place)#dns.test",
                        "no: Connection refused",
                    ],
                ]
                var rows: [[String]] = []
                var (code, errors): (Int32?, String) = (nil, "")
                // On a busy machine, a handshake may take longer than the timeout.
                for _ in 0..<3 where rows != expected {
                    let run = try await Command.run([
                        "resolvers", "detect", "--discover", "\(plain.endpoint)", "--ca",
                        authority.root,
                    ])
                    rows = run.output.split(separator: "\n").dropFirst().map { line in
                        line.split(separator: #/ {2,}/#).dropFirst().map(String.init)
                    }
                    (code, errors) = (run.code, run.errors)
                }
                #expect(code == 0, "\(errors)")
                #expect(rows == expected, "\(errors)")
                // The discovered resolver can be queried.
                try await Command.succeed([
                    "compare", own, "--ca", authority.root, "-d", "example.com", "--rounds", "1",
                ])
            }
        }
    }
    #endif

    @Test func `a certificate without the designating resolver's address fails`() async throws {
        try await withServer { places in
            ["1 dns.test. alpn=dot port=\(places.tls) ipv4hint=127.0.0.1"]
        } _: { places in
            let rows = try await discover(places.unnamed, places)
            #expect(
                rows.map { $0.last } == [
                    "no: the certificate does not name the address that was asked for it"
                ]
            )
        }
    }

    @Test func `only four designations are checked, at the polite rate`() async throws {
        try await withServer { _ in
            (1...12).map { "\($0) none\($0).test. alpn=dot" }
        } _: { places in
            let clock = ContinuousClock()
            let start = clock.now
            let rows = try await discover(places.plain, places)
            // The resolver gets nine queries: one for its designations, and A and AAAA for each of four
            // names.
            #expect(clock.now - start >= .milliseconds(200) * 8)
            #expect(
                rows.map { $0.dropFirst().joined(separator: " ") }
                    == (1...4).map { "tls://none\($0).test not checked: its name has no address" }
                    + ["8 more not checked: more than 4"]
            )
        }
    }

    /// Two designations contain an address hint. The third contains no hint, so the program looks up its
    /// name.
    @Test(.enabled("a network of its own needs permission") { await LoneNetwork.isPermitted })
    func `a public resolver cannot redirect queries to local addresses`() async throws {
        // The priority, the target and alpn=dot of an SVCB record. A parameter with an address hint may
        // follow.
        let head = "000103646e73046563686f00" + "0001000403646f74"
        let run = try await LoneNetwork.dnstempo(
            ["resolvers", "detect", "--discover", "198.51.100.7"],
            servers: ["198.51.100.7"],
            options: [
                "--dns-rr=_dns.resolver.arpa,64,\(head)000400047f000001",
                "--dns-rr=_dns.resolver.arpa,64,\(head)00040004c0a80101",
                "--dns-rr=_dns.resolver.arpa,64,\(head)", "--address=/dns.echo/127.0.0.1",
            ]
        )
        #expect(run.code == 0, "\(run.errors)")
        for (place, scope) in [
            ("tls://127.0.0.1#dns.echo", "an address of this machine"),
            ("tls://192.168.1.1#dns.echo", "a private address"),
        ] {
            let text = "not checked: a resolver at a public address has no service at \(scope)"
            let lines = run.output.split(separator: "\n").filter { $0.contains(place) }
            #expect(lines.count == (place.contains("127.0.0.1") ? 2 : 1), "\(run.output)")
            #expect(lines.allSatisfy { $0.hasSuffix(text) }, "\(run.output)")
        }
    }

    @Test func `a resolver without designations is reported`() async throws {
        try await withServer { _ in
            []
        } _: { places in
            let rows = try await discover(places.plain, places)
            #expect(rows == [["\(places.plain)", "none"]])
        }
    }

    @Test func `resolvers and --allow-net are rejected without --discover`() async throws {
        for (arguments, what) in [
            (["127.0.0.1:9"], "a resolver"), (["--allow-net", "127.0.0.0/8"], "--allow-net"),
        ] {
            let run = try await Command.run(["resolvers", "detect"] + arguments)
            #expect(run.code == 64)
            #expect(
                run.errors == "dnstempo: \(what) goes with --discover; add it or leave it out\n"
            )
        }
    }

    @Test(arguments: [
        (
            "192.0.2.1", 64,
            "resolver '192.0.2.1' at 192.0.2.1 is outside the allowed networks (127.0.0.0/8,"
                + "::1/128); leave it out or allow its network"
        ),
        (
            "tls://127.0.0.1", 64,
            "resolver 'tls://127.0.0.1': only a resolver queried over udp or tcp designates others;"
                + " give its address"
        ),
    ])
    func `a resolver that cannot be queried is rejected`(
        resolver: String,
        code: Int32,
        line: String
    ) async throws {
        let run = try await Command.run(["resolvers", "detect", "--discover", resolver])
        #expect(run.status == .code(code))
        #expect(run.errors == "dnstempo: \(line)\n")
    }

    @Test func `an unreachable resolver is an error`() async throws {
        let port = try Loopback.freePort()
        let run = try await Command.run(["resolvers", "detect", "--discover", "127.0.0.1:\(port)"])
        #expect(run.code == 69)
        #expect(run.output.contains("Connection refused"))
        #expect(run.errors == "dnstempo: no resolver answered; is there a network?\n")
    }
}
