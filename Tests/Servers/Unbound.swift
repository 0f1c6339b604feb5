/// unbound with fixed answers; it asks nobody, not even the root servers.
public struct Unbound: ServerProgram {
    public static let command = "unbound"
    public static let package = "unbound"

    public var address: String
    /// Records as in a zone file, each for its name and all names below it.
    public var wildcards: [String]
    /// Records as in a zone file, for their names alone.
    public var records: [String]
    /// More lines for the `server:` section.
    public var settings: [String]

    public init(
        address: String = "127.0.0.1",
        wildcards: [String],
        records: [String] = [],
        settings: [String] = []
    ) {
        self.address = address
        self.wildcards = wildcards
        self.records = records
        self.settings = settings
    }

    public func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
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
                "access-control: 127.0.0.0/8 allow",
                "access-control: ::1/128 allow",
                "do-not-query-address: 0.0.0.0/0",
                "do-not-query-address: ::/0",
                "local-zone: \".\" static",
            ] + zones + (wildcards + records).map { "local-data: '\($0)'" } + settings
            + ["remote-control:", "control-enable: no"]
        let file = try folder.write(lines.joined(separator: "\n") + "\n", to: "unbound.conf")
        return ["-c", file]
    }
}

extension ServerProgram where Self == Unbound {
    /// unbound that answers example.com and all below it with 192.0.2.1 and 2001:db8::1.
    public static func unbound(
        address: String = "127.0.0.1",
        wildcards: [String] = [
            "example.com. 300 IN A 192.0.2.1", "example.com. 300 IN AAAA 2001:db8::1",
        ],
        records: [String] = [],
        settings: [String] = []
    ) -> Unbound {
        Unbound(address: address, wildcards: wildcards, records: records, settings: settings)
    }
}
