import Catalogue
import Failures
import Fixtures
import Servers
import Synchronization
import Testing

@testable import Load

/// The other end of a load, asked by curl.
struct LoadPeerTests {
    private let peer: LoadPeer

    init() throws {
        let address = try #require(IPAddress("127.0.0.1"))
        peer = LoadPeer(at: address, port: 0, for: .everywhere, limit: ByteCount(5_000_000))
    }

    private func withPeer(_ peer: LoadPeer, _ body: (String) async throws -> Void) async throws
        -> ByteCount
    {
        let (places, said) = AsyncStream<String>.makeStream()
        let serving = Task { try await peer.run { said.yield($0) } }
        for await place in places {
            do { try await body(place) } catch {
                serving.cancel()
                throw error
            }
            break
        }
        serving.cancel()
        return try await serving.value
    }

    private func curl(_ arguments: [String]) async throws -> CommandOutput {
        try await Program("curl", package: "curl").run(["-sS", "--max-time", "60"] + arguments)
    }

    @Test func `it sends without an end, up to its limit`() async throws {
        let used = try await withPeer(peer) { place in
            let run = try await curl(
                ["-o", "/dev/null", "-w", "%{size_download}", "http://\(place)/download"]
            )
            // curl reports the transfer as cut off (18), because it has no end.
            #expect(run.code == 18)
            let size = try #require(Int(run.output))
            #expect(size > 4_000_000 && size < 5_000_000)
            let late = try await curl([
                "-o", "/dev/null", "-w", "%{http_code}", "http://\(place)/download",
            ])
            #expect(late.output == "503")
        }
        #expect(used.bytes >= 5_000_000)
    }

    @Test func `it receives uploads`() async throws {
        let folder = TemporaryFolder()
        let file = try folder.write(String(repeating: "x", count: 300_000), to: "body")
        let used = try await withPeer(peer) { place in
            let run = try await curl(
                ["--data-binary", "@\(file)", "-w", "%{http_code}", "http://\(place)/upload"]
            )
            #expect(run.output == "200")
            let other = try await curl(["-w", "%{http_code}", "http://\(place)/"])
            #expect(other.output.hasSuffix("--load-peer.\n404"))
        }
        #expect(used.bytes == 300_000)
    }

    @Test func `clients outside the allowed networks get nothing`() async throws {
        let address = try #require(IPAddress("127.0.0.1"))
        let closed = LoadPeer(
            at: address,
            port: 0,
            for: try AllowedNetworks(parsing: "::1/128"),
            limit: ByteCount(5_000_000)
        )
        let used = try await withPeer(closed) { place in
            let run = try await curl(["-o", "/dev/null", "http://\(place)/download"])
            #expect(run.code == 52 || run.code == 56)
        }
        #expect(used.bytes == 0)
    }

    @Test func `a port in use is named`() async throws {
        _ = try await withPeer(peer) { place in
            let port = try #require(place.split(separator: ":").last.flatMap { UInt16($0) })
            let second = LoadPeer(
                at: try #require(IPAddress("127.0.0.1")),
                port: port,
                for: .everywhere,
                limit: ByteCount(1)
            )
            let failure = await #expect(throws: Failure.self) { _ = try await second.run { _ in } }
            #expect(
                failure?.description
                    == "127.0.0.1 port \(port) is in use by another program; choose another with --port"
            )
        }
    }
}
