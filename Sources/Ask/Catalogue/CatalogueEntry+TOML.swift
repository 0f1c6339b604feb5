extension CatalogueEntry {
    /// The `[[resolver]]` table of a configuration with the same content.
    var table: String {
        let addresses = endpoints.map(\.shortText)
        let lines: [(String, String?)] = [
            ("name", name.quotedForTOML),
            ("address", addresses.isEmpty ? nil : addresses.arrayForTOML),
            ("bootstrap", bootstrap.isEmpty ? nil : bootstrap.map(\.description).arrayForTOML),
            ("tls", encrypted.tls?.quotedForTOML),
            ("https", encrypted.https?.quotedForTOML),
            ("quic", encrypted.quic?.quotedForTOML),
            ("h3", encrypted.hasHTTP3 ? "true" : nil),
            ("filtering", known(filtering)),
            ("dnssec", known(dnssec)),
            ("ecs", known(ecs)),
            ("logging", known(logging)),
            ("encrypted_only", isEncryptedOnly ? "true" : nil),
            ("note", note?.quotedForTOML),
            ("confirmed", confirmed?.description.quotedForTOML),
        ]
        return "[[resolver]]\n"
            + lines.compactMap { key, value in value.map { "\(key) = \($0)\n" } }.joined()
    }

    private func known(_ text: String) -> String? {
        text == "unknown" ? nil : text.quotedForTOML
    }
}

extension String {
    /// A basic string of TOML, on one line (toml.io/en/v1.0.0#string).
    fileprivate var quotedForTOML: String {
        unicodeScalars.reduce(into: "\"") { text, scalar in
            switch scalar {
            case "\"", "\\":
                text += "\\"
                text.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .control:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        } + "\""
    }
}

extension [String] {
    fileprivate var arrayForTOML: String {
        "[" + map(\.quotedForTOML).joined(separator: ", ") + "]"
    }
}
