import Catalogue
package import Failures

/// The address of a remote-write receiver, read from its URL.
package struct ReceiverAddress: Hashable, Sendable {
    package let url: String
    package let host: String
    /// Host and port as the user wrote them, for messages.
    package let place: String
    package let isEncrypted: Bool

    package init(parsing text: String) throws(Failure) {
        let isEncrypted = text.hasPrefix("https://")
        guard isEncrypted || text.hasPrefix("http://"),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !text.contains("#")
        else { throw Self.strange(text) }
        let rest = text.dropFirst(isEncrypted ? 8 : 7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw Failure(
                .usage,
                "the URL of the remote-write receiver has credentials, which everybody here can read: "
                    + "leave them out, and name a file that has a token with --remote-write-token"
            )
        }
        let host = Self.host(authority)
        guard let host, !host.isEmpty else { throw Self.strange(text) }
        (url, self.host, place, self.isEncrypted) = (text, host, String(authority), isEncrypted)
    }

    /// The host of an authority; `nil` if its port is invalid.
    private static func host(_ authority: Substring) -> String? {
        let (host, port) = Endpoint.split(authority)
        guard port.map({ Endpoint.port($0) != nil }) ?? true else { return nil }
        let isHost = authority.hasPrefix("[") ? IPAddress(host) != nil : !host.contains(":")
        return isHost ? String(host) : nil
    }

    private static func strange(_ text: String) -> Failure {
        Failure(
            .usage,
            "'\(text)' is no URL of a remote-write receiver: write "
                + "http://prometheus.example:9090/api/v1/write"
        )
    }
}
