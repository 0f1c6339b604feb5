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
