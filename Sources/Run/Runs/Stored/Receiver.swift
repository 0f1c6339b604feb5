package import Catalogue
import Failures

/// A web server that the user named to receive rounds or notices, with its address and token.
package struct Receiver: Sendable {
    package let address: WebAddress
    let token: String?
    private let server: NamedServer
    private let option: String

    /// `kind` and `option` are its kind and its option in messages.
    package init(
        _ address: WebAddress,
        token: String?,
        kind: String,
        option: String,
        within allowed: AllowedNetworks
    ) {
        (self.address, self.token, self.option) = (address, token, option)
        server = NamedServer(kind: kind, at: address, within: allowed)
    }

    /// Throws if the server, or the look-up of its name, is outside the allowed networks, and if the token would
    /// leave this machine unencrypted, as far as the URL shows.
    package func check() throws {
        try server.check()
        if let literal = IPAddress(address.host) { try checkToken(at: literal) }
    }

    /// Whether a text has the syntax of a token in an HTTP field (RFC 9110 §11.2).
    package static func isToken(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }

    /// The host's first address within the allowed networks, if the token may be sent there. The look-up ends
    /// at `deadline`, or when the descriptor `stop` is readable or hung up.
    func place(
        until deadline: ContinuousClock.Instant?,
        stop: Int32
    ) throws(Failure) -> IPAddress {
        let place = try server.address(until: deadline, stop: stop)
        try checkToken(at: place)
        return place
    }

    /// Throws if the token would leave this machine unencrypted.
    private func checkToken(at place: IPAddress) throws(Failure) {
        guard token != nil, !address.isEncrypted, !place.isLoopback else { return }
        throw Failure.usage(
            "\(option): the token would be sent unencrypted to \(address.place): write https:// into "
                + "the URL"
        )
    }
}
