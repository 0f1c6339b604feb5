import Servers
import Testing

/// `compare` over UDP, TLS and HTTPS in one run, with servers of other authors.
@Suite struct EncryptedServerTests {
    enum Front: CaseIterable { case dnsdist, knotResolver }

    /// Runs `body` with the addresses of a server in front of unbound, one per transport.
    private func withServer(
        _ front: Front,
        _ certificate: Certificate,
        _ body: (_ udp: SocketAddress, _ tls: SocketAddress, _ https: SocketAddress) async throws
            -> Void
    ) async throws {
        try await Servers.withServer(.unbound()) { backend in
            switch front {
            case .knotResolver:
                let knot = try KnotResolver(certificate, backend: backend.endpoint)
                try await Servers.withServer(knot) {
                    try await body($0.endpoint, knot.tls, knot.https)
                }
            case .dnsdist:
                let tls = SocketAddress("127.0.0.1", port: try Loopback.freePort())
                let https = SocketAddress("127.0.0.1", port: try Loopback.freePort())
                let files = "\"\(certificate.file)\", \"\(certificate.key)\""
                let dnsdist = Dnsdist.dnsdist(
                    delays: [0],
                    settings: [
                        "addTLSLocal(\"\(tls)\", \(files))",
                        "addDOHLocal(\"\(https)\", \(files), \"/dns-query\")",
                    ],
                    backend: backend.endpoint
                )
                try await Servers.withServer(dnsdist) { try await body($0.endpoint, tls, https) }
            }
        }
    }

    @Test(arguments: Front.allCases, ["post", "get"])
    func `first and later queries are all answered`(front: Front, method: String) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        try await withServer(front, certificate) { udp, tls, https in
            let run = try await Command.succeedSilently(
                [
                    "compare", "plain=\(udp)", "dot=tls://\(tls)#dns.test",
                    "doh=https://\(https)#dns.test", "-d", "a.example.com", "-d", "b.example.com",
                    "--rounds", "4", "--rate", "50", "--no-store", "--ca", authority.root,
                    "--http-method", method, "--format", "json", "-o", folder.file("r.txt"),
                    "--samples", folder.file("s.csv"),
                ]
            )
            let samples = Table(folder.text("s.csv"))
            #expect(samples.column("outcome") == Array(repeating: "answered", count: 40))
            #expect(samples.column("clock") == Array(repeating: "kernel", count: 40))
            let uses = try JSON(run.output).resolvers.reduce(
                into: [String: [String: Int]]()
            ) { uses, row in
                let name = [row["name"], row["series"]].map { $0 as? String ?? "" }
                uses[name.joined(separator: " ")] = row["connections"] as? [String: Int]
            }
            let expected = [
                "dot first": ["new": 8], "dot cached": ["reused": 8],
                "doh first": ["new": 8], "doh cached": ["reused": 8],
            ]
            #expect(uses == expected)
            let text = folder.text("r.txt")
            #expect(text.contains("First queries of a connection: "))
            let parts = text.split(separator: "\n").drop { !$0.contains("connect  handshake") }
            #expect(parts.prefix(3).count { $0.contains("8 new") } == 2, "\(text)")
        }
    }
}
