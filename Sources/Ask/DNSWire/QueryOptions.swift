/// The parts of a query other than its question.
package struct QueryOptions: Hashable, Sendable {
    /// Requests recursion (RFC 1035 §4.1.1, RD).
    package var recursionDesired = true
    /// The UDP payload size announced in EDNS (RFC 6891 §6.2.3), in bytes. A size below 512 means
    /// 512, except that 0 means no EDNS record, and therefore no option in it.
    package var bufferSize: UInt16 = 1232
    /// Requests DNSSEC records (RFC 3225).
    package var dnssecOK = false
    /// Requests that the resolver does not validate (RFC 4035 §3.2.2).
    package var checkingDisabled = false
    /// Requests the AD bit, which states whether the answer was validated (RFC 6840 §5.7).
    package var authenticData = false
    /// Requests the identifier of the server that answers (RFC 5001).
    package var nsid = false
    /// Pads the query if it is encrypted (RFC 7830).
    package var isPadded = true
    /// The client network to announce (RFC 7871).
    package var clientSubnet: ClientSubnet?
    /// Mixes the case of the name's letters each time the query is sent
    /// (draft-vixie-dnsext-dns0x20). An answer with other letter case is still an answer: see
    /// ``Response/changesCase``.
    package var randomCase = false
    /// Requests the idle timeout of the connection (RFC 7828). It is only for TCP and TLS: over QUIC it
    /// is a protocol error (RFC 9250 §5.5.2).
    package var keepalive = false
    /// EDNS options that are sent unchanged, after the others.
    package var parameters: [EDNSParameter] = []

    package init() {}

    /// The question alone, without an EDNS record.
    package static var withoutEDNS: QueryOptions {
        var options = QueryOptions()
        options.bufferSize = 0
        return options
    }
}

/// A client network in EDNS Client Subnet (RFC 7871 §6).
package struct ClientSubnet: Hashable, Sendable {
    /// Four bytes for IPv4, 16 for IPv6. The bits after the prefix are zero.
    package let address: [UInt8]
    /// The length in bits, at most 32 or 128.
    package let prefixLength: UInt8

    /// Creates a network and clears the bits after the prefix; `nil` unless there are four or 16
    /// bytes and the prefix is not longer than the address.
    package init?(address: [UInt8], prefixLength: UInt8) {
        guard address.count == 4 || address.count == 16, Int(prefixLength) <= address.count * 8
        else { return nil }
        self.address = address.enumerated().map { index, byte in
            let kept = min(max(Int(prefixLength) - index * 8, 0), 8)
            return byte & UInt8(truncatingIfNeeded: 0xff00 >> kept)
        }
        self.prefixLength = prefixLength
    }

    /// The option's data in a query. The scope is zero, and the address is truncated to the prefix.
    var optionData: [UInt8] {
        let family: UInt8 = address.count == 4 ? 1 : 2
        return [0, family, prefixLength, 0] + address.prefix((Int(prefixLength) + 7) / 8)
    }
}

/// An EDNS option (RFC 6891 §6.1.2) with arbitrary data.
package struct EDNSParameter: Hashable, Sendable {
    package let code: UInt16
    package let data: [UInt8]

    /// The maximum number of bytes of all options of a query.
    package static let mostBytes = 512

    /// Reads `CODE:HEX`, in which the hexadecimal digits are optional; `nil` for any other text.
    package init?(parsing text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let code = UInt16(parts[0]), parts[1].utf8.count <= 2 * Self.mostBytes,
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

/// The EDNS options that this program sends and reads (RFC 6891 §6.1.2).
package enum EDNSOption {
    package static let nsid: UInt16 = 3
    package static let clientSubnet: UInt16 = 8
    package static let cookie: UInt16 = 10
    package static let keepalive: UInt16 = 11
    package static let padding: UInt16 = 12
    static let extendedError: UInt16 = 15
    /// The size of code and length, in bytes.
    static let headerSize = 4

    /// The options of a query, encoded.
    static func requests(for options: QueryOptions) -> [UInt8] {
        var data: [UInt8] = []
        if options.nsid { data += encoded(nsid, []) }
        if let subnet = options.clientSubnet { data += encoded(clientSubnet, subnet.optionData) }
        if options.keepalive { data += encoded(keepalive, []) }
        for parameter in options.parameters { data += encoded(parameter.code, parameter.data) }
        return data
    }

    static func encoded(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        code.bytes + UInt16(clamping: value.count).bytes + value
    }
}
