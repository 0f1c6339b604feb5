/// The host of a web address, as far as its name may be asked of resolvers.
enum WebHost {
    /// Names that mean something in private networks only, or are no domain names (RFC 6761, 6762,
    /// 7686, 8375, and ICANN's `internal`).
    private static let privateSuffixes = ["local", "internal", "localhost", "arpa", "onion"]

    /// In lower case; `nil` for anything but a name of two labels and more on http or https.
    static func name(of address: String) -> String? {
        guard let colon = address.firstIndex(of: ":"),
            ["http", "https"].contains(address[..<colon].lowercased()),
            address[colon...].hasPrefix("://")
        else { return nil }
        let rest = address[colon...].dropFirst(3)
        let authority = rest.prefix { !"/?#\\".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        var host = place.prefix { $0 != ":" }.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy(isLabel), let last = labels.last,
            // An address, however it is written (WHATWG URL §3.5).
            last.contains(where: { !$0.isNumber }), !last.hasPrefix("0x"),
            !privateSuffixes.contains(String(last))
        else { return nil }
        return host
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
