package import DNSWire

/// One way to carry a DNS message to one resolver and back.
package protocol Transport: Sendable {
    /// Sends `query` and returns what came of it, at most `timeout` after it was sent.
    ///
    /// The round trip runs from the kernel's send stamp of the query to its receive stamp of the
    /// full answer; what it took to connect is given apart. There is one attempt and no retry: a
    /// lost packet is a lost packet.
    @EventLoopActor
    func exchange(_ query: Query, timeout: Duration) async -> Exchange
}
