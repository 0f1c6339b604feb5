/// When a browser begins to connect, by the responses to its queries for one name, which leave
/// together: A, HTTPS, and AAAA where this machine has a route for IPv6.
///
/// It waits for the preferred family's addresses and for HTTPS, but no longer than 50 ms after the first
/// response once it has an address (draft-ietf-happy-happyeyeballs-v3, §4.2). A negative response, such
/// as SERVFAIL or one without a record, is one that it need not wait for any more.
package enum BrowserWait {
    /// A response to one of the queries.
    package struct Response: Hashable, Sendable {
        /// Milliseconds from the query; infinite where none came.
        package var time: Double
        /// Whether it has an address.
        package var hasAddress: Bool

        package init(time: Double, hasAddress: Bool) {
            (self.time, self.hasAddress) = (time, hasAddress)
        }
    }

    /// The Resolution Delay, in milliseconds.
    package static let delay = 50.0

    /// Milliseconds until it connects; infinite without an address. `aaaa` is `nil` where it was not
    /// asked for, `https` when any response came.
    package static func time(a: Response, aaaa: Response?, https: Double) -> Double {
        let addresses = [a, aaaa].compactMap(\.self)
        let positive = addresses.filter(\.hasAddress).map(\.time).min() ?? .infinity
        guard positive.isFinite else { return .infinity }
        let first = min(https, addresses.map(\.time).min() ?? .infinity)
        let preferred = (aaaa ?? a).time
        return min(max(positive, preferred, https), max(positive, first + delay))
    }
}
