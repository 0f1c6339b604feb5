/// The parts of a query beside its question.
package struct QueryOptions: Hashable, Sendable {
    /// Asks the resolver to ask others (RFC 1035 §4.1.1, RD).
    package var recursionDesired = true
    /// The UDP payload size announced in EDNS (RFC 6891 §6.2.3), in octets; under 512 means 512, but
    /// 0 that there is no EDNS record, and so nothing that it would carry.
    package var bufferSize: UInt16 = 1232
    /// Asks for DNSSEC records (RFC 3225).
    package var dnssecOK = false
    /// Asks the resolver not to validate (RFC 4035 §3.2.2).
    package var checkingDisabled = false
    /// Asks to be told whether the answer was validated (RFC 6840 §5.7).
    package var authenticData = false
    /// Asks which server of the service answered (RFC 5001).
    package var nsid = false
    /// Pads the query where it is encrypted (RFC 7830).
    package var isPadded = true
    /// A network to say one comes from (RFC 7871).
    package var clientSubnet: ClientSubnet?
    /// Mixes the case of the name's letters anew for each sending (draft-vixie-dnsext-dns0x20). An
    /// answer with other letter case is an answer: see ``Response/changesCase``.
    package var randomCase = false
    /// EDNS options that are sent as they are, behind the others.
    package var parameters: [EDNSParameter] = []

    package init() {}

    /// The question alone, without an EDNS record.
    package static var withoutEDNS: QueryOptions {
        var options = QueryOptions()
        options.bufferSize = 0
        return options
    }
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

/// An EDNS option (RFC 6891 §6.1.2) of which nothing is known but its octets.
package struct EDNSParameter: Hashable, Sendable {
    package let code: UInt16
    package let data: [UInt8]

    /// The most octets that all of a query may have together.
    package static let mostOctets = 512

    /// Reads `CODE:HEX`, of which the hexadecimal digits may be missing; `nil` for anything else.
    package init?(parsing text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let code = UInt16(parts[0]), parts[1].utf8.count <= 2 * Self.mostOctets,
            parts[1].utf8.count % 2 == 0
        else { return nil }
        let digits = parts[1].utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.allSatisfy({ $0 != nil }) else { return nil }
        let values = digits.compactMap(\.self)
        self.code = code
        data = stride(from: 0, to: values.count, by: 2).map {
            UInt8(values[$0] << 4 | values[$0 + 1])
        }
    }
}

/// The EDNS options that are sent and read (RFC 6891 §6.1.2).
package enum EDNSOption {
    package static let nsid: UInt16 = 3
    package static let clientSubnet: UInt16 = 8
    package static let cookie: UInt16 = 10
    package static let padding: UInt16 = 12
    static let extendedError: UInt16 = 15
    /// Code and length, in octets.
    static let headerSize = 4

    /// The options of a query, encoded.
    static func requests(for options: QueryOptions) -> [UInt8] {
        var data: [UInt8] = []
        if options.nsid { data += encoded(nsid, []) }
        if let subnet = options.clientSubnet { data += encoded(clientSubnet, subnet.optionData) }
        for parameter in options.parameters { data += encoded(parameter.code, parameter.data) }
        return data
    }

    static func encoded(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        code.octets + UInt16(clamping: value.count).octets + value
    }
}
