/// Knot DNS as the authoritative server of one zone.
package struct Knot: ServerProgram {
    package static let command = "knotd"
    package static let package = "knot"

    package var address: String
    /// The zone's name, with its final dot.
    package var zone: String
    /// Lines of the zone file in addition to SOA and NS. Their names are relative to the zone.
    package var records: [String]
    /// Additional lines for the `server:` section.
    package var settings: [String]
    /// Whether the server uses DNS cookies, and answers queries without its cookie with BADCOOKIE.
    package var hasCookies: Bool
    /// Whether the server signs the zone.
    package var isSigned: Bool

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        let data =
            [
                "$ORIGIN \(zone)",
                "@ 300 IN SOA ns hostmaster 1 3600 900 604800 60",
                "@ 300 IN NS ns",
                "ns 300 IN A 127.0.0.1",
            ] + records
        let file = try folder.write(data.joined(separator: "\n") + "\n", to: "zone")
        let config = """
            server:
                rundir: "\(folder.path)"
                pidfile: "\(folder.file("knot.pid"))"
                listen: \(address)@\(ports[0])
                udp-workers: 1
                tcp-workers: 1
                background-workers: 1
            \(settings.map { "    \($0)" }.joined(separator: "\n"))
            log:
              - target: stderr
                any: info
            database:
                storage: "\(folder.path)"
                journal-db-max-size: 10M
                kasp-db-max-size: 10M
                timer-db-max-size: 10M
            control:
                listen: "\(folder.file("knot.sock"))"
            \(hasCookies ? Self.cookies : "")
            zone:
              - domain: \(zone)
                file: "\(file)"
                zonefile-sync: -1
                journal-content: none
                dnssec-signing: \(isSigned ? "on" : "off")

            """
        return ["-c", try folder.write(config, to: "knot.conf")]
    }

    private static let cookies = """
        mod-cookies:
          - id: default
            badcookie-slip: 1
        template:
          - id: default
            global-module: mod-cookies/default
        """
}

extension ServerProgram where Self == Knot {
    /// Knot DNS with a wildcard record. Any random label below it has an answer that no cache contains.
    package static func knot(
        zone: String = "example.org.",
        records: [String] = ["* 300 IN A 192.0.2.2"],
        settings: [String] = [],
        address: String = "127.0.0.1",
        hasCookies: Bool = false,
        isSigned: Bool = false
    ) -> Knot {
        Knot(
            address: address,
            zone: zone,
            records: records,
            settings: settings,
            hasCookies: hasCookies,
            isSigned: isSigned
        )
    }
}
