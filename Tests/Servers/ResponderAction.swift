/// One thing that a `ScriptedResponder` does about a query; a list of them is done in order.
package enum ResponderAction: Hashable, Sendable {
    /// The message as one datagram, or over TCP as one segment with its length before it.
    case reply([UInt8])
    /// UDP: the message from a socket bound to another address or port (0 is any).
    case replyFrom(SocketAddress, [UInt8])
    /// UDP: an ICMP error about a datagram from the client to the responder.
    case report(ICMPError)
    /// TCP: these bytes as one segment, with no length before them.
    case raw([UInt8])
    /// TCP: the length and the message, one byte a segment.
    case trickle([UInt8])
    /// What follows in the list is done after this time; other queries are not held up.
    case pause(Duration)
    /// TCP: the connection ends in order.
    case close
    /// TCP: the connection is reset.
    case reset
}
