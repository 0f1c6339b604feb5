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
        let text = String(decoding: try InputFile.bytes(path), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        // Limits of MQTT 3.1.1, section 1.5.3.
        guard (1...2).contains(lines.count),
            lines.allSatisfy({ $0.utf8.count < 65_536 && !$0.utf8.contains(0) })
        else {
            throw Failure(
                .badData,
                "'\(path)': write the user into its first line, and the password, if there is one, "
                    + "into the second"
            )
        }
        return Broker.Login(user: lines[0], password: lines.count > 1 ? lines[1] : nil)
    }
}
