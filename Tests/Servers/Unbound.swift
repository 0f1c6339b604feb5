/// unbound with fixed answers. It queries only the name servers of `stubs`, and never the root servers.
package struct Unbound: ServerProgram {
    package static let command = "unbound"
    package static let package = "unbound"

    package var address: String
    /// Records in zone file syntax. Each applies to its name and to all names below it.
    package var wildcards: [String]
    /// Records in zone file syntax. Each applies to its name only.
    package var records: [String]
    /// The name server on loopback for each stub zone. The key is the zone's name with its final dot.
    package var stubs: [String: SocketAddress]
    /// The path of the socket through which `unbound-control` reads statistics; `nil` for none.
    package var control: String?
    /// Additional lines for the `server:` section.
    package var settings: [String]
    package var answersTCP: Bool

    package init(
        address: String = "127.0.0.1",
        wildcards: [String],
        records: [String] = [],
        stubs: [String: SocketAddress] = [:],
        control: String? = nil,
        settings: [String] = [],
        answersTCP: Bool = true
    ) {
        self.answersTCP = answersTCP
        self.stubs = stubs
        self.control = control
        self.address = address
        self.wildcards = wildcards
        self.records = records
        self.settings = settings
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        var zones: [String] = []
        for record in wildcards {
            let zone = "local-zone: \"\(record.prefix { $0 != " " })\" redirect"
            if !zones.contains(zone) { zones.append(zone) }
        }
        let lines =
            [
                "server:",
                "do-daemonize: no",
                "chroot: \"\"",
                "username: \"\"",
                "pidfile: \"\"",
                "directory: \"\(folder.path)\"",
                "use-syslog: no",
                "module-config: \"iterator\"",
                "interface: \(address)",
                "port: \(ports[0])",
                "do-tcp: \(answersTCP ? "yes" : "no")",
                "access-control: 127.0.0.0/8 allow",
                "access-control: ::1/128 allow",
                "do-not-query-localhost: no",
                "do-not-query-address: ::/0",
                "local-zone: \".\" static",
            ] + Self.beyondLoopback.map { "do-not-query-address: \($0)" }
            + stubs.keys.map { "local-zone: \"\($0)\" transparent" } + zones
            + (wildcards + records).map { "local-data: '\($0)'" } + settings
            + stubs.flatMap { zone, server in
                ["stub-zone:", "name: \"\(zone)\"", "stub-addr: \(server.address)@\(server.port)"]
            } + remoteControl
        let file = try folder.write(lines.joined(separator: "\n") + "\n", to: "unbound.conf")
        return ["-c", file]
    }

    private var remoteControl: [String] {
        guard let control else { return ["remote-control:", "control-enable: no"] }
        return [
            "remote-control:", "control-enable: yes", "control-interface: \"\(control)\"",
            "control-use-cert: no",
        ]
    }

    /// All of IPv4 except 127.0.0.0/8.
    private static let beyondLoopback = [
        "0.0.0.0/2", "64.0.0.0/3", "96.0.0.0/4", "112.0.0.0/5", "120.0.0.0/6", "124.0.0.0/7",
        "126.0.0.0/8", "128.0.0.0/1",
    ]

    /// Returns unbound's counters, such as `total.num.cachehits`, through the socket `control`.
    package static func statistics(control: String) async throws -> [String: Double] {
        let folder = TemporaryFolder()
        let lines = [
            "remote-control:", "control-enable: yes", "control-interface: \"\(control)\"",
            "control-use-cert: no",
        ]
        let file = try folder.write(lines.joined(separator: "\n") + "\n", to: "control.conf")
        let run = try await Program("unbound-control", package: "unbound")
            .run(["-c", file, "stats_noreset"])
        guard run.code == 0 else { throw ServerError("unbound-control: \(run.errors)") }
        return run.output.split(separator: "\n").reduce(into: [:]) { counts, line in
            let parts = line.split(separator: "=")
            if parts.count == 2 { counts[String(parts[0])] = Double(parts[1]) }
        }
    }
}

extension ServerProgram where Self == Unbound {
    /// unbound that answers queries for example.com, and for all names below it, with 192.0.2.1 and
    /// 2001:db8::1 by default.
    package static func unbound(
        address: String = "127.0.0.1",
        wildcards: [String] = [
            "example.com. 300 IN A 192.0.2.1", "example.com. 300 IN AAAA 2001:db8::1",
        ],
        records: [String] = [],
        stubs: [String: SocketAddress] = [:],
        control: String? = nil,
        settings: [String] = [],
        answersTCP: Bool = true
    ) -> Unbound {
        Unbound(
            address: address,
            wildcards: wildcards,
            records: records,
            stubs: stubs,
            control: control,
            settings: settings,
            answersTCP: answersTCP
        )
    }
}
