/// dnsdist in front of another server. Each of its ports delays answers over UDP by its own time.
package struct Dnsdist: ServerProgram {
    package static let command = "dnsdist"
    package static let package = "dnsdist"

    package var address: String
    /// The delay of each port in milliseconds, in the order of the ports.
    package var delays: [Int]
    /// The share of queries that each port drops, from 0 to 1. A port without a value drops no queries.
    package var losses: [Double]
    /// Whether dnsdist sends the client's network (RFC 7871, first 24 bits) to the backend.
    package var sendsClientSubnet: Bool
    /// Additional lines of the configuration.
    package var settings: [String]
    /// The address of the server that gives the answers.
    package var backend: SocketAddress

    package var portCount: Int { delays.count }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        var lines = [
            // This line must be the first. By default dnsdist queries the internet for security notices
            // about its version.
            "setSecurityPollSuffix(\"\")",
            "setACL({\"127.0.0.0/8\", \"::1/128\"})",
            "newServer({address=\"\(backend)\", useClientSubnet=\(sendsClientSubnet)})",
            // By default a server is down until it has answered a query for a name of the root zone.
            "getServer(0):setUp()",
            // By default dnsdist disconnects a client that sends or reads nothing for two seconds. A client on
            // a busy machine can be as slow.
            "setTCPRecvTimeout(60)", "setTCPSendTimeout(60)",
        ]
        for (index, (delay, port)) in zip(delays, ports).enumerated() {
            lines.append("addLocal(\"\(SocketAddress(address, port: port))\")")
            if losses.indices.contains(index), losses[index] > 0 {
                let rule = "AndRule({DSTPortRule(\(port)), ProbaRule(\(losses[index]))})"
                lines.append("addAction(\(rule), DropAction())")
            }
            if delay > 0 {
                lines.append("addAction(DSTPortRule(\(port)), DelayAction(\(delay)))")
            }
        }
        lines += settings
        let file = try folder.write(lines.joined(separator: "\n") + "\n", to: "dnsdist.conf")
        return ["--supervised", "--disable-syslog", "-C", file]
    }
}

extension ServerProgram where Self == Dnsdist {
    /// dnsdist with one port for each delay in milliseconds. It delays the answers of `backend` over UDP and
    /// drops a share of the queries.
    package static func dnsdist(
        delays: [Int],
        losses: [Double] = [],
        sendsClientSubnet: Bool = false,
        settings: [String] = [],
        backend: SocketAddress,
        address: String = "127.0.0.1"
    ) -> Dnsdist {
        Dnsdist(
            address: address,
            delays: delays,
            losses: losses,
            sendsClientSubnet: sendsClientSubnet,
            settings: settings,
            backend: backend
        )
    }
}

/// Runs `body` with the address of a server of DNS over HTTP without TLS, for a web server in front of it.
package func withHTTPBackend(_ body: (SocketAddress) async throws -> Void) async throws {
    let http = SocketAddress("127.0.0.1", port: try Loopback.freePort())
    try await withServer(.unbound()) { backend in
        let program = Dnsdist.dnsdist(
            delays: [0],
            settings: ["addDOHLocal(\"\(http)\")"],
            backend: backend.endpoint
        )
        try await withServer(program) { _ in try await body(http) }
    }
}
