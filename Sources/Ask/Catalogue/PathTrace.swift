/// The way to a resolver's address, as queries told that were dropped on it one hop further each time.
package struct PathTrace: Hashable, Sendable {
    /// Whoever told that a query came as far.
    package struct Hop: Hashable, Sendable {
        /// Without a zone.
        package var address: IPAddress
        package var roundTrip: Duration

        package init(address: IPAddress, roundTrip: Duration) {
            self.address = address
            self.roundTrip = roundTrip
        }
    }

    /// Why no query was sent further; the names are for programs and never change.
    package enum End: String, Hashable, Sendable, CaseIterable {
        /// The resolver's address responded to a query.
        case answered
        /// The resolver's address told that nobody takes UDP at the port.
        case closed
        /// The last hop told that it does not lead there.
        case rejected
        /// ``mostSilent`` hops in a row were silent.
        case silent
        /// The last of ``mostHops`` was not the resolver.
        case limit
        /// The system could not send.
        case unsent
    }

    /// From the first router on; `nil` of one that was silent.
    package var hops: [Hop?]
    package var end: End
    /// The server's name for itself (NSID, RFC 5001), escaped, where it responded and has one.
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
