/// The outcome of sending one query.
package enum QueryResult: Hashable, Sendable {
    // Indirect because a response is large and results are passed on often.
    indirect case response(Response)
    /// No response arrived before the timeout.
    case timeout
    /// An ICMP error or a refused connection reported it. The text is the reason.
    case unreachable(String)
    /// No route existed when the query was to be sent. The text is the reason.
    case noRoute(String)
    /// The system cannot send to this address on any network. The text is the reason.
    case wrongAddress(String)
    /// A response to this query is not a valid message. The text is the reason.
    case malformed(String)
    /// The server's certificate is not trusted, so that no query was sent.
    case untrusted(Distrust)
    /// The destination is outside the allowed networks, and nothing was sent.
    case blocked
    /// The query was cancelled before its end. Its outcome is unknown.
    case cancelled

    package var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }
}

/// The reason why the server's certificate is not trusted.
package struct Distrust: Hashable, Sendable {
    /// The reason in words, such as `the certificate expired on 2026-11-21`.
    package var reason: String
    /// Whether the certificate chain ends at no trusted root.
    package var isIssuerUnknown: Bool
    /// A host in the certificate, if the certificate is not for the requested host.
    package var otherName: String?
    /// Whether the query is not sent even if certificates are not verified.
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

/// The sources of the two time stamps of a round trip, from the most to the least exact.
package enum ClockSource: UInt8, Comparable, CaseIterable, Sendable, Codable {
    /// Both stamps from the kernel.
    case kernel
    /// The receive stamp from the kernel, the send stamp from the process.
    case kernelReceive
    /// Both stamps from the process.
    case user

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The connection that carried a query.
package enum ConnectionUse: UInt8, CaseIterable, Sendable {
    /// A connection opened for the query.
    case new
    /// A connection that an earlier query had opened.
    case reused
    /// A connection opened for the query with the ticket of an earlier connection (RFC 8446 §2.2).
    case resumed
    /// A resumed connection, on which the query was sent before the end of the handshake (RFC 8446
    /// §2.3).
    case early
}
