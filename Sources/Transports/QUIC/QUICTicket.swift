#if QUIC
/// What a QUIC connection leaves behind for a later one to the same server, used once.
struct QUICTicket {
    var session: SessionTicket
    /// What the server grants before the handshake is complete (RFC 9000 §7.4.1); empty where it
    /// takes nothing then.
    var grants: [UInt8]
    /// Proof that packets to this address arrive (RFC 9000 §8.1.3), or nothing.
    var token: [UInt8]
}
#endif
