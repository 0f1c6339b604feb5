/// dnsdist before another server: a port for each delay, which UDP answers wait.
package struct Dnsdist: ServerProgram {
    package static let command = "dnsdist"
    package static let package = "dnsdist"

    package var address: String
    /// Milliseconds; the first port has the first delay.
    package var delays: [Int]
    /// The share of queries that each port drops; none where it is not told.
    package var losses: [Double]
    /// Whether dnsdist sends the client's network (RFC 7871, first 24 bits) to the backend.
    package var sendsClientSubnet: Bool
    /// More lines of its configuration.
    package var settings: [String]
    /// Where the answers come from.
    package var backend: SocketAddress

    package var portCount: Int { delays.count }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        var lines = [
            // Before all else: by default dnsdist asks the internet for news of its version.
            "setSecurityPollSuffix(\"\")",
            "setACL({\"127.0.0.0/8\", \"::1/128\"})",
            "newServer({address=\"\(backend)\", useClientSubnet=\(sendsClientSubnet)})",
            // By default a server is down until it answered for a name of the root.
            "getServer(0):setUp()",
            // By default a client is cut off that says nothing for two seconds, as on a machine
            // that is busy.
            "setTCPRecvTimeout(60)",
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
    /// dnsdist that delays what `backend` answers over UDP, a port for each delay in milliseconds,
    /// and drops a share of the queries.
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
