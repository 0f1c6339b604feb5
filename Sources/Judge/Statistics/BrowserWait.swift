/// The time at which a browser begins to connect. It depends on the responses to its queries for one name: A,
/// HTTPS, and AAAA if this machine has an IPv6 route. The browser sends these queries together.
///
/// The browser waits for the addresses of the preferred family and for HTTPS. Once it has an address, it
/// waits at most until 50 ms after the first response (draft-ietf-happy-happyeyeballs-v3, §4.2). A negative
/// response, such as SERVFAIL or a response without a record, ends the wait for that query.
package enum BrowserWait {
    /// A response to one of the queries.
    package struct Response: Hashable, Sendable {
        /// Milliseconds from the query; infinite without a response.
        package var time: Double
        /// Whether the response contains an address.
        package var hasAddress: Bool

        package init(time: Double, hasAddress: Bool) {
            (self.time, self.hasAddress) = (time, hasAddress)
        }
    }

    /// The Resolution Delay, in milliseconds.
    package static let delay = 50.0

    /// Returns the milliseconds until the browser connects; infinite without an address.
    ///
    /// `aaaa` is `nil` if the browser did not query for AAAA. `https` is the time of any response to the
    /// HTTPS query, positive or negative.
    package static func time(a: Response, aaaa: Response?, https: Double) -> Double {
        let addresses = [a, aaaa].compactMap(\.self)
        let positive = addresses.filter(\.hasAddress).map(\.time).min() ?? .infinity
        guard positive.isFinite else { return .infinity }
        let first = min(https, addresses.map(\.time).min() ?? .infinity)
        let preferred = (aaaa ?? a).time
        return min(max(positive, preferred, https), max(positive, first + delay))
    }
}
