/// The outcome of sending one query.
package enum QueryResult: Hashable, Sendable {
    case response(Response)
    /// Nothing came in time.
    case timeout
    /// ICMP or the connection's refusal said so; why, in words.
    case unreachable(String)
    /// There was no route when it was to be sent; why, in words.
    case noRoute(String)
    /// A response to this query that is not a valid message; why, in words.
    case malformed(String)
    /// The other end's certificate is not to be trusted, so nothing was asked; why, in words.
    case untrusted(String)
    /// The destination lies outside the allowed networks; nothing was sent.
    case blocked
    /// Given up before its end; nothing is known.
    case cancelled

    package var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }
}
