/// The outcome of sending one query.
package enum QueryResult: Hashable, Sendable {
    // Apart, since it is large, and a result is handed on often.
    indirect case response(Response)
    /// Nothing came in time.
    case timeout
    /// ICMP or the connection's refusal said so; why, in words.
    case unreachable(String)
    /// There was no route when it was to be sent; why, in words.
    case noRoute(String)
    /// The system cannot send to this address, whatever its network is; why, in words.
    case wrongAddress(String)
    /// A response to this query that is not a valid message; why, in words.
    case malformed(String)
    /// The other end's certificate is not to be trusted, so nothing was asked.
    case untrusted(Distrust)
    /// The destination lies outside the allowed networks; nothing was sent.
    case blocked
    /// Given up before its end; nothing is known.
    case cancelled

    package var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }
}

/// Why the certificate of the other end is not trusted.
package struct Distrust: Hashable, Sendable {
    /// In words, such as `the certificate expired on 2026-11-21`.
    package var reason: String
    /// Whether it leads to no root that is trusted.
    package var isIssuerUnknown: Bool
    /// A host that it is for, where it is for another than the one that was asked.
    package var otherName: String?
    /// Whether nothing has it asked all the same, not even that no certificate is verified.
    package var isFinal: Bool

    package init(
        _ reason: String,
        isIssuerUnknown: Bool = false,
        otherName: String? = nil,
        isFinal: Bool = false
    ) {
        self.reason = reason
        self.isIssuerUnknown = isIssuerUnknown
        self.otherName = otherName
        self.isFinal = isFinal
    }
}

/// Where the two time stamps of a round trip come from, the most exact first.
package enum ClockSource: UInt8, Comparable, CaseIterable, Sendable, Codable {
    /// Both from the kernel.
    case kernel
    /// The receive stamp from the kernel, the send stamp from the process.
    case kernelReceive
    /// Both from the process.
    case user

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The connection that carried a query.
package enum ConnectionUse: UInt8, CaseIterable, Sendable {
    /// One opened for it.
    case new
    /// One that an earlier query had opened.
    case reused
    /// One opened for it with the ticket of an earlier one (RFC 8446 §2.2).
    case resumed
    /// The same, and the query was sent before the handshake was over (RFC 8446 §2.3).
    case early
}
