import CPSL
import Catalogue

/// The host of a web address, if resolvers may be queried for its name.
enum WebHost {
    /// The name in lower case; `nil` unless it has at least two labels and the address is http or
    /// https.
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
            // An IP address in any notation (WHATWG URL §3.5).
            last.contains(where: { !$0.isNumber }), !last.hasPrefix("0x"),
            last != "arpa", SpecialUseName(host) == nil
        else { return nil }
        return host
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { byte in
                (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
                    || "-_".utf8.contains(byte)
            }
    }
}

/// The sole owner of the public suffix list (publicsuffix.org). It is the system's list, or the
/// list in libpsl if that is newer. `deinit` frees it.
@safe struct PublicSuffixes: ~Copyable {
    private let list: OpaquePointer?

    init() { unsafe list = psl_latest(nil) }

    deinit { unsafe psl_free(list) }

    /// The registered name, such as `example.co.uk` for `www.example.co.uk`. `nil` for a suffix
    /// itself, and for a suffix that is not in the list, which belongs to a private network.
    func registeredName(of host: String) -> String? {
        unsafe host.withCString { host in
            guard let suffix = unsafe psl_unregistrable_domain(list, host),
                unsafe psl_is_public_suffix2(list, suffix, Self.listed) == 1,
                let name = unsafe psl_registrable_domain(list, host)
            else { return nil }
            return unsafe String(cString: name)
        }
    }

    /// Rules of every kind, except the rule that treats any unknown word as a suffix.
    private static let listed = PSL_TYPE_ICANN | PSL_TYPE_PRIVATE | PSL_TYPE_NO_STAR_RULE
}
