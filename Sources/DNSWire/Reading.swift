/// What a datagram is to the query that was waiting.
package enum Reading: Hashable, Sendable {
    case response(Response)
    /// Not an answer to the query: to be counted and ignored, the wait goes on.
    case stray(Stray)
    /// An answer to the query that cannot be believed; why, as a clause after `the response`.
    case malformed(String)

    /// Why a datagram is no answer to the query (RFC 5452 §9.1).
    package enum Stray: String, Hashable, Sendable {
        case wrongID
        case wrongQuestion
        case notAResponse
    }
}
