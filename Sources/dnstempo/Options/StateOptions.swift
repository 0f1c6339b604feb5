import ArgumentParser
import Catalogue
import Failures
import Files
import MQTT
import Runs

struct StateOptions: ParsableArguments {
    @Option(
        help: """
            After each stored round, publish the state of each resolver at this broker of MQTT, \
            with the announcements that Home Assistant reads.
            """.naming("url")
    )
    var mqtt: String?

    @Option(
        help: "File with the broker's user in its first line, and the password in its second."
            .naming("file"),
        completion: .file()
    )
    var mqttLogin: String?

    /// The requested broker. `nil` if none is requested. Throws if the broker, or the look-up of its name, is
    /// outside the allowed networks. `inUse` is the label of the resolver with which others are compared.
    func publishing(
        within allowed: AllowedNetworks,
        inUse: String? = nil
    ) throws -> StatePublishing? {
        guard let mqtt else {
            try Failure.refuse([
                "--mqtt-login needs --mqtt: add --mqtt mqtt://HOST": mqttLogin != nil
            ])
            return nil
        }
        let address = try BrokerAddress(mqtt, loginOption: "--mqtt-login")
        try Broker.checkLibrary()
        let publishing = StatePublishing(
            to: address,
            login: try mqttLogin.map(Self.login),
            within: allowed
        ) { store, vantage in
            try StateMessages(prefix: address.prefix, inUse: inUse).messages(store, at: vantage)
        }
        try publishing.check()
        return publishing
    }

    private static func login(_ path: String) throws(Failure) -> Broker.Login {
        // Limits of MQTT 3.1.1, section 1.5.3.
        let (user, password) = try InputFile.pair(path, "the user", "the password") {
            $0.utf8.count < 65_536 && !$0.utf8.contains(0)
        }
        return Broker.Login(user: user, password: password)
    }
}
