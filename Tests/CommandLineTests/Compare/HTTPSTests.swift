import Foundation
import Servers
import Testing

/// `compare` over HTTPS. The certificate of the server is signed only by the authority of the test.
@Suite struct HTTPSTests {
    /// Runs `body` with unbound, which answers over UDP, and over HTTPS at another port with the path `/own`.
    private func withUnbound(
        _ body: (_ port: UInt16, _ folder: TemporaryFolder) async throws -> Void
    ) async throws {
        let (folder, _, certificate) = try await ThrowawayAuthority.certified()
        let port = try Loopback.freePort()
        let settings = [
            "interface: 127.0.0.1@\(port)", "https-port: \(port)", "http-endpoint: \"/own\"",
            "tls-service-key: \"\(certificate.key)\"", "tls-service-pem: \"\(certificate.file)\"",
        ]
        try await withServer(.unbound(settings: settings)) { _ in try await body(port, folder) }
    }

    /// The samples of a short run that queries `address` with additional `arguments`.
    private func samples(
        _ address: String,
        _ arguments: [String],
        _ folder: TemporaryFolder
    ) async throws -> Table {
        try await Command.succeed(
            ["compare", address, "-d", "a.example.com", "--rounds", "2", "--warmup", "0"]
                + ["--rate", "50", "--no-store", "--connections", "reuse"]
                + ["--ca", folder.file("root.pem"), "--samples", folder.file("s.csv")] + arguments
        )
        return Table(folder.text("s.csv"))
    }

    @Test(arguments: [[], ["--http-method", "get"]])
    func `a sample's endpoint is a valid address for another run`(method: [String]) async throws {
        try await withUnbound { port, folder in
            var address = "https://127.0.0.1:\(port)/own#dot.test"
            for _ in 0..<2 {
                let samples = try await samples(address, method, folder)
                #expect(samples.rows.count == 2)
                for row in samples.rows {
                    #expect(samples[row, "outcome"] == "answered")
                    #expect(samples[row, "transport"] == "https")
                    #expect(samples[row, "clock"] == "kernel")
                    #expect(samples[row, "endpoint"] == "127.0.0.1:\(port)/own#dot.test")
                }
                address = "https://" + samples[try #require(samples.rows.first), "endpoint"]
            }
        }
    }

    @Test func `a wrong path gives a malformed answer`() async throws {
        try await withUnbound { port, folder in
            let run = try await Command.run(
                ["compare", "https://127.0.0.1:\(port)#dot.test", "-d", "a.example.com"]
                    + ["--rounds", "1", "--warmup", "0", "--rate", "50", "--no-store"]
                    + ["--connections", "reuse", "--ca", folder.file("root.pem")]
                    + ["--samples", folder.file("s.csv")]
            )
            let samples = Table(folder.text("s.csv"))
            let row = try #require(samples.rows.first, "\(run.errors)")
            #expect(samples[row, "outcome"] == "malformed")
            #expect(samples[row, "detail"] == "HTTP status 404")
        }
    }
}
