/// What a query carries beside its question.
public struct QueryOptions: Hashable, Sendable {
    /// The UDP payload size announced in EDNS (RFC 6891 §6.2.3), in octets.
    public var bufferSize: UInt16 = 1232
    /// Asks for DNSSEC records (RFC 3225).
    public var dnssecOK = false
    /// Asks which server of the service answered (RFC 5001).
    public var nsid = false
    /// A network to say one comes from (RFC 7871).
    public var clientSubnet: ClientSubnet?

    public init() {}
}

/// A network as EDNS Client Subnet carries it (RFC 7871 §6).
public struct ClientSubnet: Hashable, Sendable {
    /// Four octets for IPv4, sixteen for IPv6; bits beyond the prefix are zero.
    public var address: [UInt8]
    public var prefixLength: UInt8

    public init(address: [UInt8], prefixLength: UInt8) {
        self.address = address
        self.prefixLength = prefixLength
    }
}
