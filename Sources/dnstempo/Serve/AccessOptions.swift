import ArgumentParser
import Catalogue
import Dashboard
import Samples

/// Where the dashboard listens, and who may look.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Listen on this address of the machine; others then need the token. (default: 127.0.0.1)",
            valueName: "address"
        )
    )
    var listen: String?

    @Option(help: "The port; 0 for any that is free.")
    var port = DashboardSettings.usualPort

    @Flag(help: "Ask for the token on this machine too, where others have accounts.")
    var token = false

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the token, which is then asked for. (default: a new one at every start)",
            valueName: "file"
        )
    )
    var tokenFile: String?

    /// What they say of a dashboard.
    func settings() throws -> DashboardSettings {
        let address = try address()
        let known = try tokenFile.map(Self.token)
        let isNeeded = token || !address.isLoopback
        return DashboardSettings(
            address: address,
            port: port,
            token: known ?? (isNeeded ? .random() : nil),
            toolVersion: Version.text,
            now: { .now }
        )
    }

    private func address() throws(Failure) -> IPAddress {
        let text = listen ?? "127.0.0.1"
        guard let address = IPAddress(text) else {
            throw Failure(
                .usage,
                "--listen: '\(text)' is no address; write one of this machine's, such as "
                    + "192.168.1.5 or ::1, and the port with --port"
            )
        }
        return address
    }

    private static func token(_ path: String) throws -> AccessToken {
        let text = String(decoding: try InputFile.bytes(path), as: UTF8.self)
        let line = text.split(separator: "\n", maxSplits: 1).first ?? ""
        guard let token = AccessToken(String(line)) else {
            throw Failure(
                .badData,
                "'\(path)': its first line is no token: write 16 to 512 letters, digits and -._~"
            )
        }
        return token
    }
}
