/// What a query carries beside its question.
package struct QueryOptions: Hashable, Sendable {
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
