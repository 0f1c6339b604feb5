import Catalogue

extension ServerStamp {
    /// Key and value, line by line.
    var facts: [(String, String)] {
        var facts = [("ask it as", notation), ("transport", transport.rawValue)]
        facts.append(("address", address?.description ?? "to be looked up"))
        facts.append(("port", "\(port)"))
        if !host.isEmpty { facts.append(("name", host)) }
        if let path { facts.append(("path", path)) }
        facts += hashes.map { hash in
            let digits = hash.map { octet in
                (octet < 16 ? "0" : "") + String(octet, radix: 16)
            }
            return ("certificate", digits.joined())
        }.sorted { $0.1 < $1.1 }
        facts += [
            ("DNSSEC", properties.contains(.dnssec) ? "yes" : "not declared"),
            ("logging", properties.contains(.noLogs) ? "no" : "not declared"),
            ("filtering", properties.contains(.noFilter) ? "none" : "not declared"),
        ]
        return facts
    }
}
