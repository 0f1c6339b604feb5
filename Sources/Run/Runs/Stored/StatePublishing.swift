package import Catalogue
import Failures
package import MQTT
import Samples
package import Store
import Synchronization
import Transports

/// Publishes the state of the resolvers at a broker, after rounds are stored. An unreachable broker is not an
/// error, because the next round publishes a newer state.
package final class StatePublishing: RoundTarget {
    /// Returns the messages on the state of a place's resolvers in a store, and the messages that announce the
    /// resolvers.
    package typealias Messages =
        @Sendable (_ store: Store, _ vantage: String) throws
        -> (announcements: [Broker.Message], states: [Broker.Message])

    private let address: BrokerAddress
    private let login: Broker.Login?
    private let server: NamedServer
    private let messages: Messages
    /// The announcements that the broker has.
    private let announced = Mutex<Set<Broker.Message>>([])
    private let trouble = LastTrouble()

    package static let limit = Duration.seconds(30)

    package init(
        to address: BrokerAddress,
        login: Broker.Login?,
        within allowed: AllowedNetworks,
        _ messages: @escaping Messages
    ) {
        (self.address, self.login, self.messages) = (address, login, messages)
        server = NamedServer(kind: "broker of MQTT", at: address.address, within: allowed)
    }

    /// Throws if the broker, or the look-up of its name, is outside the allowed networks, and if the login
    /// would leave the user's network unencrypted, as far as the URL shows.
    package func check() throws {
        try server.check()
        if let literal = IPAddress(address.address.host) { try checkLogin(at: literal) }
    }

    /// Throws new errors only, so that a long outage has one line.
    package func work(_ attempt: RoundFollower.Attempt) throws -> Bool {
        let (announcements, states) = try messages(attempt.store, attempt.round.run.vantage)
        let known = announced.withLock(\.self)
        var words: String?
        do throws(Failure) {
            try publish(announcements.filter { !known.contains($0) } + states, attempt)
            announced.withLock { $0 = Set(announcements) }
        } catch {
            words = error.description
        }
        try trouble.end(words)
        return false
    }

    private func publish(
        _ messages: [Broker.Message],
        _ attempt: RoundFollower.Attempt
    ) throws(Failure) {
        guard !messages.isEmpty else { return }
        let place = try server.address(
            until: attempt.deadline,
            stop: attempt.stop,
            usesAll: address.address.isEncrypted
        )
        try checkLogin(at: place)
        let broker = Broker(
            // The certificate is for the name. libmosquitto then looks up the name again, and chooses an address.
            host: address.address.isEncrypted ? server.host : place.description,
            port: address.port,
            client: "dnstempo-\(UInt64.random(in: 0 ... .max))",
            login: login,
            isEncrypted: address.address.isEncrypted
        )
        do throws(Failure) {
            try broker.publish(messages, until: attempt.deadline, stop: attempt.stop)
        } catch {
            let name = "the broker at \(address.address.place)"
            throw error.status == .configuration
                ? Failure(
                    .configuration,
                    "\(name) refuses this program (\(error)): see --mqtt-login"
                )
                : Failure(
                    .busy,
                    "\(name) cannot be reached (\(error)); the next round publishes the state"
                )
        }
    }

    /// Throws if the login would leave the user's network unencrypted.
    private func checkLogin(at place: IPAddress) throws(Failure) {
        guard login != nil, !address.address.isEncrypted, !place.isLoopback, !place.isPrivate
        else { return }
        throw Failure.usage(
            "--mqtt-login: the password would be sent unencrypted to \(address.address.place): write "
                + "mqtts:// into the URL"
        )
    }
}
