import Catalogue
import Failures
import Servers
import Testing

@testable import Load

/// Loads with servers on loopback.
struct LineLoadTests {
    private static let loopback = IPAddress("127.0.0.1")

    private func load(
        _ paths: [(path: String, direction: LoadDirection)],
        port: UInt16,
        limit: Int64
    ) throws -> LineLoad {
        let address = try #require(Self.loopback)
        return LineLoad(
            try paths.map { path, direction in
                let url = try WebAddress(
                    parsing: "http://127.0.0.1:\(port)\(path)",
                    of: "a load",
                    example: "",
                    secrets: ""
                )
                return LineLoad.Source(url, direction, at: address, option: "--load")
            },
            limit: ByteCount(limit),
            agent: "dnstempo",
            interval: .milliseconds(100)
        )
    }

    @Test(arguments: LoadDirection.allCases)
    func `a load reaches the throughput of its line, and ends`(direction: LoadDirection)
        async throws
    {
        try await withServer(LoadResponder(rate: 2_000_000)) { server in
            let load = try load([("/", direction)], port: server.endpoint.port, limit: 1 << 30)
            #expect(try await load.begin(for: .seconds(1)))
            #expect(load.isLoaded && !load.isExhausted)
            // It is already loaded.
            #expect(try await load.begin(for: .seconds(1)))
            await load.end()
            #expect(!load.isLoaded && load.bytes > 0)
            #expect((load.throughput(direction) ?? 0) >= 0)
            let before = load.bytes
            #expect(try await load.begin(for: .seconds(1)))
            #expect(load.bytes > before)
            await load.end()
        }
    }

    @Test func `the limit ends a load before it is reached`() async throws {
        try await withServer(LoadResponder(rate: 2_000_000)) { server in
            let port = server.endpoint.port
            let load = try load([("/", .download), ("/", .upload)], port: port, limit: 4_000_000)
            var begun = 0
            while try await load.begin(for: .milliseconds(100)) {
                begun += 1
                await load.end()
            }
            #expect(load.isExhausted && load.bytes < 4_000_000)
            #expect(try await !load.begin(for: .zero))
        }
    }

    @Test(arguments: [("/missing", "HTTP 404"), ("/elsewhere", "HTTP 302")])
    func `a server that transfers nothing is named with the reason`(
        path: String,
        reason: String
    ) async throws {
        try await withServer(LoadResponder(rate: 2_000_000)) { server in
            let port = server.endpoint.port
            let load = try load([(path, .download)], port: port, limit: 1 << 30)
            let failure = await #expect(throws: Failure.self) {
                _ = try await load.begin(for: .seconds(1))
            }
            #expect(
                failure?.description.hasPrefix(
                    "--load: no download at 127.0.0.1:\(port) (\(reason))"
                )
                    == true,
                "\(String(describing: failure))"
            )
        }
    }

    @Test func `a server that is not there is named with the reason`() async throws {
        let port = try Loopback.freePort()
        let load = try load([("/", .upload)], port: port, limit: 1 << 30)
        let failure = await #expect(throws: Failure.self) {
            _ = try await load.begin(for: .seconds(1))
        }
        #expect(failure?.description.contains("(Connection refused)") == true)
    }
}
