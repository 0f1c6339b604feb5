package import Catalogue
import DNSWire

extension Table {
    /// A table of catalogue entries that is a text of its own.
    package init(of entries: [CatalogueEntry]) {
        let rows = entries.map {
            [
                $0.name, $0.shownAddress, $0.filtering, $0.confirmed?.description ?? "",
                $0.provider ?? "",
            ]
        }
        self.init(["name", "address", "filtering", "confirmed", "operator"], rows)
        (columns[3].drop, columns[4].drop) = (1, 2)
    }
}

extension CatalogueEntry {
    /// The first address, or the reason why no address can be queried.
    fileprivate var shownAddress: String {
        if case .dead = status { return "out of service" }
        if isEncryptedOnly { return "encrypted only" }
        return endpoints.first?.address.description ?? "none"
    }

    /// The known facts about the entry, one fact per row.
    package var facts: [(String, String)] {
        let state =
            switch status {
            case .active: "active"
            case .unverified: "unverified"
            case .dead(let retirement):
                "out of service\(retirement.since.map { " since \($0)" } ?? ""): \(retirement.reason)"
            }
        let facts: [(String, String?)] =
            [("name", name), ("title", title), ("operator", provider), ("status", state)]
            + endpoints.map { ("address", $0.address.description) }
            + bootstrap.map { ("address", "\($0), encrypted only") }
            + [
                ("plain DNS", isEncryptedOnly ? "not served" : nil), ("DoT", encrypted.tls),
                ("DoH", encrypted.https),
                ("DoH over HTTP/3", encrypted.hasHTTP3 ? "yes" : nil), ("DoQ", encrypted.quic),
                ("filtering", filtering), ("DNSSEC", dnssec), ("ECS", ecs), ("logging", logging),
                ("groups", groups.isEmpty ? nil : groups.joined(separator: ", ")),
                ("note", note), ("source", source), ("confirmed", confirmed?.description),
            ]
        return facts.compactMap { key, value in value.map { (key, $0) } }
    }
}

extension ServerStamp {
    /// The contents of the stamp, one fact per row.
    package var facts: [(String, String)] {
        var facts = [
            ("ask it as", notation), ("transport", transport.rawValue),
            ("address", address?.description ?? "to be looked up"), ("port", "\(port)"),
        ]
        if !host.isEmpty { facts.append(("name", host)) }
        if let path { facts.append(("path", path)) }
        facts += hashes.map { ("certificate", $0.hexadecimal) }.sorted { $0.1 < $1.1 }
        facts += [
            ("DNSSEC", properties.contains(.dnssec) ? "yes" : "not declared"),
            ("logging", properties.contains(.noLogs) ? "no" : "not declared"),
            ("filtering", properties.contains(.noFilter) ? "none" : "not declared"),
        ]
        return facts
    }
}
