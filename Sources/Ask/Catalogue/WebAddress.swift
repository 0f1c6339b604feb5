package import Failures

/// An address of a web server that the user named, read from its URL.
package struct WebAddress: Hashable, Sendable {
    package let url: String
    package let host: String
    /// Host and port as the user wrote them, for messages.
    package let place: String
    package let isEncrypted: Bool
    /// The part of the URL after host and port. It begins with `/` or `?`, or is empty.
    package let path: String

    /// Reads a URL of `scheme`, or of the scheme with an `s`, which is encrypted. Errors name it as the URL of
    /// `kind`, and give an `example`. `secrets` says where credentials belong, because a URL with credentials
    /// is refused.
    package init(
        parsing text: String,
        scheme: String = "http",
        of kind: String,
        example: String,
        secrets: String
    ) throws(Failure) {
        let isEncrypted = text.hasPrefix("\(scheme)s://")
        let rest = text.dropFirst(scheme.count + (isEncrypted ? 4 : 3))
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard isEncrypted || text.hasPrefix("\(scheme)://"),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !text.contains("#"),
            authority.contains("@") || Self.host(authority)?.isEmpty == false
        else { throw Failure(.usage, "'\(text)' is no URL of \(kind): write \(example)") }
        guard !authority.contains("@"), let host = Self.host(authority) else {
            throw Failure(
                .usage,
                "the URL of \(kind) has credentials, which everybody here can read: leave them out, "
                    + secrets
            )
        }
        (url, self.host, place, self.isEncrypted) = (text, host, String(authority), isEncrypted)
        path = String(rest.dropFirst(authority.count))
    }

    /// The port of the URL; `nil` if it has none.
    package var port: UInt16? {
        Endpoint.split(Substring(place)).port.flatMap { Endpoint.port($0) }
    }

    /// The host of an authority; `nil` if its port is invalid.
    private static func host(_ authority: Substring) -> String? {
        let (host, port) = Endpoint.split(authority)
        guard port.map({ Endpoint.port($0) != nil }) ?? true else { return nil }
        let isHost = authority.hasPrefix("[") ? IPAddress(host) != nil : !host.contains(":")
        return isHost ? String(host) : nil
    }
}
