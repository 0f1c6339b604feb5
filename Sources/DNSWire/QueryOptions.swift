/// The parts of a query beside its question.
package struct QueryOptions: Hashable, Sendable {
    /// Whether there is an EDNS record (RFC 6891); without one nothing that it would carry is sent.
    package var edns = true
    /// The UDP payload size announced in EDNS (RFC 6891 §6.2.3), in octets; under 512 means 512.
    package var bufferSize: UInt16 = 1232
    /// Asks for DNSSEC records (RFC 3225).
    package var dnssecOK = false
    /// Asks the resolver not to validate (RFC 4035 §3.2.2).
    package var checkingDisabled = false
    /// Asks to be told whether the answer was validated (RFC 6840 §5.7).
    package var authenticData = false
    /// Asks which server of the service answered (RFC 5001).
    package var nsid = false
    /// A network to say one comes from (RFC 7871).
    package var clientSubnet: ClientSubnet?
    /// Mixes the case of the name's letters anew for each sending (draft-vixie-dnsext-dns0x20).
    package var randomCase = false

    package init() {}
}

/// A network as EDNS Client Subnet carries it (RFC 7871 §6).
package struct ClientSubnet: Hashable, Sendable {
    /// Four octets for IPv4, sixteen for IPv6; bits beyond the prefix are zero.
    package let address: [UInt8]
    /// In bits, at most 32 or 128.
    package let prefixLength: UInt8

    /// Clears the bits beyond the prefix; `nil` unless there are four or sixteen octets and the
    /// prefix is no longer than they are.
    package init?(address: [UInt8], prefixLength: UInt8) {
        guard address.count == 4 || address.count == 16, Int(prefixLength) <= address.count * 8
        else { return nil }
        self.address = address.enumerated().map { index, octet in
            let kept = min(max(Int(prefixLength) - index * 8, 0), 8)
            return octet & UInt8(truncatingIfNeeded: 0xff00 >> kept)
        }
        self.prefixLength = prefixLength
    }

    /// The option's data in a query: the scope is zero, the address cut to the prefix.
    var optionData: [UInt8] {
        let family: UInt8 = address.count == 4 ? 1 : 2
        return [0, family, prefixLength, 0] + address.prefix((Int(prefixLength) + 7) / 8)
    }
}

/// The EDNS options that are sent and read (RFC 6891 §6.1.2).
enum EDNSOption {
    static let nsid: UInt16 = 3
    static let clientSubnet: UInt16 = 8
    static let padding: UInt16 = 12
    static let extendedError: UInt16 = 15
    /// Code and length, in octets.
    static let headerSize = 4

    /// The options of a query, encoded.
    static func requests(for options: QueryOptions) -> [UInt8] {
        var data: [UInt8] = []
        if options.nsid { data += encoded(nsid, []) }
        if let subnet = options.clientSubnet { data += encoded(clientSubnet, subnet.optionData) }
        return data
    }

    static func encoded(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        code.octets + UInt16(clamping: value.count).octets + value
    }
}
