package import Catalogue
import Failures
import Transports

/// A server that the user named by its URL, such as a central store.
package struct NamedServer {
    /// The name of the server's kind in messages.
    let kind: String
    /// The host to look up, or its address.
    let host: String
    /// The place in the URL, for messages.
    let place: String
    let allowed: AllowedNetworks

    package init(kind: String, host: String, place: String, allowed: AllowedNetworks) {
        (self.kind, self.host, self.place, self.allowed) = (kind, host, place, allowed)
    }

    /// The server of a URL.
    init(kind: String, at address: WebAddress, within allowed: AllowedNetworks) {
        self.init(kind: kind, host: address.host, place: address.place, allowed: allowed)
    }

    private static let patience = Duration.seconds(30)

    /// Throws if the server, or the look-up of its host, is outside the allowed networks. `advice`
    /// is the way to avoid a look-up.
    package func check(advice: String = "write its address into the URL") throws {
        guard let literal = IPAddress(host) else {
            return try Bootstrap.checkSystem(host, within: allowed, advice: advice)
        }
        guard allowed.allows(literal) else { throw outside }
    }

    /// The host's first address within the allowed networks. The look-up ends at `end`, or when the
    /// descriptor `stop` is readable or hung up. `advice` is the remedy if the address is not
    /// found. With `usesAll`, all addresses must be within the networks.
    func address(
        until end: ContinuousClock.Instant? = nil,
        stop: Int32 = -1,
        advice: String? = nil,
        usesAll: Bool = false
    ) throws(Failure) -> IPAddress {
        let addresses: [IPAddress]
        do throws(SystemLookup.Fault) {
            let latest = ContinuousClock.now.advanced(by: Self.patience)
            addresses = try SystemLookup.addressesWaited(
                of: host,
                until: end.map { min($0, latest) } ?? latest,
                stop: stop
            )
        } catch {
            throw Failure(
                .busy,
                "cannot look up the \(kind)'s host '\(host)' (\(error.reason))"
                    + (advice.map { ": \($0)" } ?? "")
            )
        }
        guard let address = addresses.first(where: allowed.allows),
            !usesAll || addresses.allSatisfy(allowed.allows)
        else { throw outside }
        return address
    }

    private var outside: Failure {
        Failure.usage(
            "the \(kind) at \(place) is outside the allowed networks (\(allowed)): allow its network"
        )
    }
}
