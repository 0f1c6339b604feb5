import Foundation
import Servers
import Testing

/// Evidence of all transports, from servers of other authors.
@Suite struct BundleTransportTests {
    /// The protocols of the messages by the port of the resolver. Debian's dnstap-ldns reads all messages,
    /// but names only the protocols UDP and TCP.
    private func protocols(_ bundle: KeptBundle) async throws -> [Int: Set<String>] {
        let read = try await Program("dnstap-ldns", package: "dnstap-ldns")
            .run(["-q", "-r", "\(bundle.path)/messages-000001.fstrm"])
        let frames = try bundle.frames
        #expect(read.code == 0 && read.errors == "")
        #expect(read.output.split(separator: "\n").count == frames.count)
        let names = [1: "UDP", 2: "TCP", 3: "DOT", 4: "DOH", 7: "DOQ"]
        return frames.reduce(into: [:]) { found, frame in
            found[frame.port, default: []].insert(names[frame.transport] ?? "?")
        }
    }

    @Test(arguments: ["post", "get"])
    func `dnsdist's answers over all its transports are recomputed`(method: String) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        let ports = try (0..<2).map { _ in try Loopback.freePort() }
        let files = "\"\(certificate.file)\", \"\(certificate.key)\""
        try await withServer(.unbound()) { backend in
            let dnsdist = Dnsdist.dnsdist(
                delays: [0],
                settings: [
                    "addTLSLocal(\"127.0.0.1:\(ports[0])\", \(files))",
                    "addDOHLocal(\"127.0.0.1:\(ports[1])\", \(files), \"/dns-query\")",
                ],
                backend: backend.endpoint
            )
            try await withServer(dnsdist) { server in
                let bundle = try await KeptBundle.comparing(
                    [
                        "plain=\(server.endpoint)", "tcp=tcp://\(backend.endpoint)",
                        "dot=tls://127.0.0.1:\(ports[0])#dns.test",
                        "doh=https://127.0.0.1:\(ports[1])#dns.test", "-d", "a.example.com",
                        "-d", "b.example.com", "--rounds", "2", "--rate", "50", "--ca",
                        authority.root, "--http-method", method,
                    ],
                    in: folder
                )
                let samples = bundle.samples
                #expect(samples.column("outcome").allSatisfy { $0 == "answered" })
                #expect(Set(samples.column("connection")) == ["", "new", "reused"])
                try await bundle.expectSound()
                let expected: [Int: Set] = [
                    Int(server.endpoint.port): ["UDP"], Int(backend.endpoint.port): ["TCP"],
                    Int(ports[0]): ["DOT"], Int(ports[1]): ["DOH"],
                ]
                #expect(try await protocols(bundle) == expected)
            }
        }
    }

    #if QUIC
    @Test func `answers over QUIC and HTTP/3 are recomputed`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        func responder(_ kind: QUICResponder.Application) -> QUICResponder {
            QUICResponder(kind, .stray, certificate, log: folder.file("\(kind).log"))
        }
        try await withServer(responder(.doq)) { doq in
            try await withServer(responder(.h3)) { h3 in
                let bundle = try await KeptBundle.comparing(
                    ["doq=quic://127.0.0.1:\(doq.port)#dns.test"]
                        + ["h3=h3://127.0.0.1:\(h3.port)#dns.test", "--ca", authority.root]
                        + ["-d", "example.com", "--rounds", "6", "--rate", "20"]
                        + ["--connections", "resume", "--series", "cached"],
                    in: folder
                )
                try await bundle.expectSound()
                let expected: [Int: Set] = [Int(doq.port): ["DOQ"], Int(h3.port): ["DOH"]]
                #expect(try await protocols(bundle) == expected)
            }
        }
    }
    #endif

    static let faults: [HTTPSResponder.Mode] = [
        .notFound, .type, .oversized, .close, .reset, .old, .goaway, .silent,
    ]

    /// Runs `body` with one server per mode. `body` receives the command-line arguments that name the
    /// servers.
    private func withServers(
        _ modes: ArraySlice<HTTPSResponder.Mode>,
        _ certificate: Certificate,
        in folder: TemporaryFolder,
        named names: [String] = [],
        _ body: ([String]) async throws -> Void
    ) async throws {
        guard let mode = modes.first else { return try await body(names) }
        let log = folder.file("\(mode).log")
        try await withServer(HTTPSResponder(mode, certificate, log: log)) { server in
            let name = "\(mode)=https://127.0.0.1:\(server.port)#dns.test"
            try await withServers(
                modes.dropFirst(),
                certificate,
                in: folder,
                named: names + [name],
                body
            )
        }
    }

    @Test func `invalid answers over HTTPS are recomputed`() async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        try await withServers(Self.faults[...], certificate, in: folder) { names in
            let bundle = try await KeptBundle.comparing(
                names + ["-d", "example.com", "--rounds", "2", "--rate", "50", "--timeout", "2s"]
                    + ["--ca", authority.root, "--total-rate", "200"],
                in: folder
            )
            let samples = bundle.samples
            let outcomes = samples.rows.reduce(into: [String: Set<String>]()) { outcomes, row in
                outcomes[samples[row, "resolver"], default: []].insert(samples[row, "outcome"])
            }
            // On a busy machine, any answer may arrive too late.
            for (name, outcome) in [
                ("notFound", "malformed"), ("type", "malformed"), ("old", "answered"),
            ] {
                #expect(outcomes[name]?.isSubset(of: [outcome, "timeout"]) == true)
            }
            #expect(outcomes["silent"] == ["timeout"])
            try await bundle.expectSound()
        }
    }
}
