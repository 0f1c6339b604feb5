import Servers
import Testing

/// `compare`, `sample` and `watch` with resolvers whose certificates are not trusted.
@Suite struct CertificateTests {
    private static let common = ["-d", "example.com", "--rate", "50"]

    @Test(arguments: Encryption.allCases)
    func `only a resolver with a wrong certificate name is left out`(way: Encryption) async throws {
        let (folder, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        let log = folder.file("responder.log")
        try await way.withServer(certificate, log: log) { server in
            try await Servers.withServer(.unbound()) { plain in
                let place = "\(way)://\(server.endpoint)"
                let run = try await Command.run(
                    ["compare", "plain=\(plain.endpoint)", "mine=\(place)#other.test"]
                        + Self.common
                        + ["--rounds", "4", "--no-store", "--ca", authority.root]
                        + ["--baseline", "mine", "--format", "json", "-o", folder.file("r.txt")]
                        + ["--samples", folder.file("s.csv")]
                )
                let reason =
                    "the certificate is for dns.test, 127.0.0.1, not for other.test; if that is "
                    + "the right server, write \(place)#dns.test"
                #expect(run.code == 0)
                #expect(run.errors == "dnstempo: mine is not measured: \(reason)\n")
                let report = try JSON(run.output)
                #expect(try report.resolvers.compactMap { $0["name"] as? String } == ["plain"])
                let left = report["not_measured"] as? [[String: String]]
                #expect(
                    left == [
                        [
                            "resolver": "mine", "name": "mine",
                            "endpoint": "\(server.endpoint)#other.test", "transport": "\(way)",
                            "reason": reason,
                        ]
                    ]
                )
                let caveats = report["caveats"] as? [[String: String]] ?? []
                #expect(caveats.first?["code"] == "untrusted")
                #expect(!caveats.contains { $0["code"] == "unreached" })
                let text = folder.text("r.txt").split(whereSeparator: \.isWhitespace)
                    .joined(separator: " ")
                #expect(text.contains("mine is not measured: \(reason)."))
                #expect(Set(Table(folder.text("s.csv")).column("resolver")) == ["plain"])
                #expect(!folder.text("responder.log").contains("query"))
            }
        }
    }

    enum Fault: CaseIterable { case selfSigned, unknownIssuer, expired, unknownAndOther }

    @Test(arguments: Fault.allCases)
    func `if no resolver is left, the error has a reason and a remedy`(fault: Fault) async throws {
        let folder = TemporaryFolder()
        let authority = try await ThrowawayAuthority(in: folder)
        let certificate =
            switch fault {
            case .selfSigned: try await authority.selfSigned(for: "dns.test")
            case .expired: try await authority.certificate(for: "dns.test", days: -1)
            case .unknownIssuer, .unknownAndOther:
                try await authority.certificate(for: "dns.test")
            }
        let trusted = fault == .expired ? ["--ca", authority.root] : []
        let name = fault == .unknownAndOther ? "a.test" : "dns.test"
        try await Encryption.tls.withServer(certificate, log: folder.file("l")) { server in
            let run = try await Command.run(
                ["compare", "dot=tls://\(server.endpoint)#\(name)", "--rounds", "2"]
                    + Self.common + ["--no-store"] + trusted
            )
            #expect(run.code == 69)
            #expect(run.output == "")
            let lines = run.errors.split(separator: "\n")
            #expect(lines.count == 1)
            let line = try #require(lines.first)
            let ca = "add --ca FILE with its issuer"
            let unknown = "is signed by an unknown issuer (CN=Throw-away authority)"
            switch fault {
            case .selfSigned:
                #expect(line.hasSuffix("the certificate is self-signed; if you trust it, \(ca)"))
            case .unknownIssuer:
                #expect(line.hasSuffix("the certificate \(unknown); if you trust it, \(ca)"))
            case .expired:
                #expect(line.contains(#/the certificate expired on \d{4}-\d\d-\d\d; leave it out/#))
            case .unknownAndOther:
                let other = "is for dns.test, 127.0.0.1, not for a.test and \(unknown)"
                #expect(line.contains("the certificate \(other); if that is the right server, "))
                #expect(line.hasSuffix("#dns.test and \(ca)"))
            }
        }
    }

    @Test func `a --fail-if condition holds for a resolver that is not measured`() async throws {
        let folder = TemporaryFolder()
        let certificate = try await ThrowawayAuthority(in: folder).selfSigned(for: "dns.test")
        try await Encryption.tls.withServer(certificate, log: folder.file("l")) { server in
            try await Servers.withServer(.unbound()) { plain in
                for (condition, holds) in [("mine:loss > 1%", true), ("plain:loss > 1%", false)] {
                    let run = try await Command.run(
                        ["compare", "plain=\(plain.endpoint)", "mine=tls://\(server.endpoint)"]
                            + Self.common
                            + ["--rounds", "2", "--no-store", "--fail-if", condition]
                    )
                    #expect(run.code == (holds ? 1 : 0))
                    let says = run.errors.contains("'mine:loss > 1%' holds: mine is not measured")
                    #expect(says == holds, "\(run.errors)")
                }
            }
        }
    }

    @Test func `rounds record an untrusted certificate, and one line reports it`() async throws {
        let folder = TemporaryFolder()
        let certificate = try await ThrowawayAuthority(in: folder).selfSigned(for: "dns.test")
        try await Encryption.tls.withServer(certificate, log: folder.file("l")) { server in
            let asked = ["mine=tls://\(server.endpoint)#dns.test", "--no-check"] + Self.common
            let line =
                "dnstempo: mine cannot be asked: the certificate is self-signed; if you trust it, "
                + "add --ca FILE with its issuer\n"
            let sample = try await Command.succeed(
                ["sample", "--store", folder.file("s.sqlite")] + asked
            )
            #expect(sample.errors == line)
            let watch = try await Command.succeed(
                ["watch", "--no-store", "--rounds", "3", "--interval", "0s"] + asked
            )
            #expect(watch.errors.ranges(of: line).count == 1, "\(watch.errors)")
            let stored = try await StoredFile(folder.file("s.sqlite"))
                .query("SELECT count(*) FROM sample")
            #expect(stored == "2\n")
        }
    }
}
