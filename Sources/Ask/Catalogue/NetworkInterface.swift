import LibC

/// The interfaces of this machine, by their names and numbers.
package enum NetworkInterface {
    /// The number of the interface that a zone names or numbers (RFC 4007 §11.2); `nil` if this
    /// machine currently has no such interface.
    package static func number(ofZone zone: String) -> UInt32? {
        let named = unsafe if_nametoindex(zone)
        if named != 0 { return named }
        guard let number = number(zone), name(of: number) != nil else { return nil }
        return number
    }

    /// The number in a zone; `nil` if the zone is a name.
    static func number(_ zone: String) -> UInt32? {
        zone.utf8.allSatisfy(\.isDigit) ? UInt32(zone) : nil
    }

    /// The name of the interface with that number; `nil` if the interface does not exist.
    static func name(of number: UInt32) -> String? {
        var text = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard unsafe if_indextoname(number, &text) != nil else { return nil }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension IPAddress {
    /// The same address with the name of its zone's interface instead of the interface's number.
    /// Both spellings become one address.
    package var withNamedZone: IPAddress {
        guard let zone, unsafe if_nametoindex(zone) == 0,
            let name = NetworkInterface.number(zone).flatMap(NetworkInterface.name)
        else { return self }
        return IPAddress(bytes: bytes, zone: name) ?? self
    }

    /// The reason why this machine cannot send to the address on any network, and the remedy, as
    /// the rest of a sentence; `nil` if it can send.
    package var zoneFault: String? {
        if let zone {
            return NetworkInterface.number(ofZone: zone) == nil
                ? "names no interface of this machine: '\(zone)'; 'ip address' shows those" : nil
        }
        return isLinkLocal6
            ? "needs an interface, as in \(self)%eth0; 'ip address' shows this machine's" : nil
    }
}

extension Endpoint {
    /// The same endpoint at the address ``IPAddress/withNamedZone``.
    var withNamedZone: Endpoint {
        var endpoint = self
        endpoint.address = address.withNamedZone
        return endpoint
    }

    /// The place of a resolver in the notation of files, with its address in canonical form. A text
    /// that does not begin with an IPv6 address is unchanged, because IPv4 addresses have one form.
    package static func canonicalPlace(_ text: String) -> String {
        let authority = text.prefix { $0 != "/" && $0 != "#" }
        let (host, port) = split(authority)
        guard host.contains(":"), let address = IPAddress(host)?.unmapped else { return text }
        let place = authority.hasPrefix("[") ? address.bracketed : address.description
        return place + (port.map { ":\($0)" } ?? "") + String(text[authority.endIndex...])
    }
}

extension [Resolver] {
    /// Throws a usage error that names the first resolver at an address that this machine cannot
    /// send to. On no network could that resolver answer.
    package func checkZones() throws(CatalogueError) {
        for resolver in self {
            guard let fault = resolver.endpoint.address.zoneFault else { continue }
            throw .usage(
                "resolver \(resolver.label.quoted): the address \(resolver.endpoint.address) \(fault)"
            )
        }
    }
}
