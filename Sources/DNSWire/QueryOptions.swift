/// What a query carries beside its question.
public struct QueryOptions: Hashable, Sendable {
    /// The UDP payload size announced in EDNS (RFC 6891 §6.2.3), in octets; under 512 means 512.
    public var bufferSize: UInt16 = 1232
    /// Asks for DNSSEC records (RFC 3225).
    public var dnssecOK = false
    /// Asks the resolver not to validate (RFC 4035 §3.2.2).
    public var checkingDisabled = false
    /// Asks to be told whether the answer was validated (RFC 6840 §5.7).
    public var authenticData = false
    /// Asks which server of the service answered (RFC 5001).
    public var nsid = false
    /// A network to say one comes from (RFC 7871).
    public var clientSubnet: ClientSubnet?
    /// Mixes the case of the name's letters anew for each sending (draft-vixie-dnsext-dns0x20).
    public var randomCase = false

    public init() {}
}
