/// The path to a resolver's address, found with queries whose hop limit rises by one each time.
package struct PathTrace: Hashable, Sendable {
    /// The router that returned the ICMP error for a query, or the server that responded.
    package struct Hop: Hashable, Sendable {
        /// The address without a zone.
        package var address: IPAddress
        package var roundTrip: Duration

        package init(address: IPAddress, roundTrip: Duration) {
            self.address = address
            self.roundTrip = roundTrip
        }
    }

    /// The reason why the trace ended. Programs read the names, which never change.
    package enum End: String, Hashable, Sendable, CaseIterable {
        /// The resolver's address responded to a query.
        case answered
        /// The resolver's address returned the ICMP error that its UDP port is closed.
        case closed
        /// The last hop returned the ICMP error that the destination is unreachable.
        case rejected
        /// ``mostSilent`` consecutive hops returned no ICMP error.
        case silent
        /// Hop number ``mostHops`` was not the resolver.
        case limit
        /// The system could not send.
        case unsent
    }

    /// The hops from the first router on; `nil` for a silent hop.
    package var hops: [Hop?]
    package var end: End
    /// The server's name for itself (NSID, RFC 5001), escaped; `nil` without a response or a name.
    package var site: String?

    package static let mostHops = 30
    package static let mostSilent = 5

    package init(hops: [Hop?] = [], end: End, site: String? = nil) {
        self.hops = hops
        self.end = end
        self.site = site
    }

    /// The round trip to the last hop that was not silent.
    package var lastRoundTrip: Duration? { hops.last { $0 != nil }??.roundTrip }
}
