/// Whom a session has to find at its other end, and what they are to speak.
struct PeerCheck: Equatable {
    let credentials: TLSCredentials
    /// What the certificate has to name: a host or an address.
    let name: String
    /// What is spoken inside (RFC 7301).
    let protocolName: String

    static func == (one: Self, other: Self) -> Bool {
        one.credentials.demandSame(as: other.credentials) && one.name == other.name
            && one.protocolName == other.protocolName
    }
}

/// What a session leaves behind for a later one, once it knows its other end. That end is not asked
/// for its certificate again, so a ticket is good for the same check alone.
struct SessionTicket {
    /// The check that the other end has passed.
    let check: PeerCheck
    /// GnuTLS's data of the session.
    let data: [UInt8]
}
