/// One action of a `ScriptedResponder` for a query. The actions of a list run in order.
package enum ResponderAction: Hashable, Sendable {
    /// Sends the message as one datagram. Over TCP, sends it as one segment that begins with its length.
    case reply([UInt8])
    /// Over UDP, sends the message from another address or port. Port 0 means any port.
    case replyFrom(SocketAddress, [UInt8])
    /// Over UDP, sends an ICMP error about a datagram from the client to the responder.
    case report(ICMPError)
    /// Sends these bytes as one datagram or segment, without a length before them.
    case raw([UInt8])
    /// Over TCP, sends the length and the message, one byte per segment.
    case trickle([UInt8])
    /// Delays the following actions of the list by this time. Other queries are not delayed.
    case pause(Duration)
    /// Closes the TCP connection normally.
    case close
    /// Resets the TCP connection.
    case reset
}
