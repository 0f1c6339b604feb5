/// Knot DNS, authoritative for one zone.
package struct Knot: ServerProgram {
    package static let command = "knotd"
    package static let package = "knot"

    package var address: String
    /// The zone's name, with its final dot.
    package var zone: String
    /// Lines of the zone file beside SOA and NS, names relative to the zone.
    package var records: [String]
    /// More lines for the `server:` section.
    package var settings: [String]
    /// Whether it uses DNS cookies, and answers BADCOOKIE to queries without its cookie.
    package var hasCookies: Bool
    /// Whether it signs the zone.
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
    /// Knot with a wildcard, so that no random label was ever asked before.
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
