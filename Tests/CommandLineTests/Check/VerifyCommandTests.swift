import Foundation
import Servers
import Testing

/// `resolvers verify` with claims in a configuration. The resolvers of the configuration are the tests'
/// servers.
@Suite struct VerifyCommandTests {
    /// Creates a folder for XDG_CONFIG_HOME with this configuration.
    private func configured(_ text: String) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        _ = try folder.write(text, to: "dnstempo/config.toml")
        return folder
    }

    private func standings(_ report: JSON, _ name: String) throws -> [String: String] {
        let claims = try #require(try report.resolver(name)["claims"] as? [[String: String]])
        return Dictionary(
            claims.map { ($0["claim"] ?? "", $0["standing"] ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test func `true and false claims are distinguished`() async throws {
        let unbound = try await CheckedUnbound()
        let checking = try Checking()
        let records = ["whoami.test. 60 IN TXT \"192.0.2.53\""]
        try await withServer(unbound.server(records: records)) { server in
            let closed = try Loopback.freePort()
            let home = try configured(
                """
                [[resolver]]
                name = "true"
                address = "\(server.endpoint)"
                dnssec = "yes"
                filtering = "none"
                ecs = "no"

                [[resolver]]
                name = "false"
                address = ["\(server.endpoint)", "127.0.0.1:\(closed)"]
                dnssec = "no"
                filtering = "malware"
                """
            )
            let run = try await Command.succeedSilently(
                ["resolvers", "verify", "true", "false", "--format", "json", "--rate", "500"]
                    + ["--checks", checking.folder.file("names.toml"), "-o", "v.txt"],
                environment: ["XDG_CONFIG_HOME": home.path],
                in: home.path
            )
            let report = try JSON(run.output)
            #expect(report["schema"] as? String == "dnstempo.verify/1")
            #expect(
                try standings(report, "true")
                    == [
                        "answers": "holds", "dnssec": "holds", "filtering": "holds", "ecs": "holds",
                    ]
            )
            // A filter that blocks none of the test names may block other names.
            #expect(
                try standings(report, "false")
                    == [
                        "answers": "holds", "dnssec": "contradicted", "filtering": "open",
                        "ecs": "open",
                    ]
            )
            let text = home.text("v.txt")
            #expect(text.contains("127.0.0.1:\(closed) does not answer\n"))
            #expect(
                text.hasSuffix("\nOf 9 claims: 5 hold, 2 contradicted, 2 open, 0 not checked.\n")
            )
        }
    }

    @Test func `a blocking server contradicts the claim of no filter`() async throws {
        let checking = try Checking()
        let blocking = Unbound.unbound(
            wildcards: [],
            settings: ["local-zone: \"blocked.test.\" always_null"]
        )
        try await withServer(blocking) { server in
            let home = try configured(
                ["none", "malware"].map { filter in
                    """
                    [[resolver]]
                    name = "says-\(filter)"
                    address = "\(server.endpoint)"
                    filtering = "\(filter)"

                    """
                }.joined()
            )
            let run = try await Command.succeed(
                ["resolvers", "verify", "says-none", "says-malware", "--format", "json"]
                    + ["--rate", "500", "--checks", checking.folder.file("names.toml")],
                environment: ["XDG_CONFIG_HOME": home.path]
            )
            let report = try JSON(run.output)
            #expect(try standings(report, "says-none")["filtering"] == "contradicted")
            #expect(try standings(report, "says-malware")["filtering"] == "holds")
        }
    }

    @Test func `certificates are compared with the declared names`() async throws {
        let checking = try Checking()
        let folder = TemporaryFolder()
        let authority = try await ThrowawayAuthority(in: folder)
        let responder = TLSResponder(
            .plain,
            try await authority.certificate(for: "dot.test"),
            log: folder.file("responder.log")
        )
        try await withServer(responder) { server in
            let home = try configured(
                ["dot.test", "other.test"].map { name in
                    """
                    [[resolver]]
                    name = "\(name)"
                    address = "\(server.endpoint)"
                    tls = "\(name)"

                    """
                }.joined()
            )
            let run = try await Command.succeed(
                ["resolvers", "verify", "dot.test", "other.test", "--format", "json"]
                    + ["--rate", "500", "--checks", checking.folder.file("names.toml")]
                    // The timeout includes a TLS handshake.
                    + ["--ca", authority.root, "--timeout", "6s"],
                environment: ["XDG_CONFIG_HOME": home.path]
            )
            let report = try JSON(run.output)
            #expect(try standings(report, "dot.test")["certificate"] == "holds")
            #expect(try standings(report, "other.test")["certificate"] == "contradicted")
            let reason = "the certificate is for dot.test, 127.0.0.1, not for other.test"
            #expect(run.output.contains("over tls: \(reason)"))
        }
    }
}
