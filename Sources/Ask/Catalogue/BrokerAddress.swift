package import Failures

/// The address of a broker of MQTT, read from its URL, such as `mqtts://broker.example/house`.
package struct BrokerAddress: Hashable, Sendable {
    package let address: WebAddress
    package let port: UInt16
    /// The beginning of all topics, without a slash at its end.
    package let prefix: String

    /// The ports that IANA registered, plain and encrypted.
    private static let usualPorts: (UInt16, UInt16) = (1883, 8883)
    private static let longestPrefix = 200

    /// `loginOption` is the option that names a file with the login.
    package init(_ text: String, loginOption: String) throws(Failure) {
        address = try WebAddress(
            parsing: text,
            scheme: "mqtt",
            of: "a broker of MQTT",
            example: "mqtt://broker.example:1883",
            secrets: "and name a file that has the user and the password with \(loginOption)"
        )
        let usual = address.isEncrypted ? Self.usualPorts.1 : Self.usualPorts.0
        port = address.port ?? usual
        let path = address.path.split(separator: "/")
        prefix = path.isEmpty ? "dnstempo" : path.joined(separator: "/")
        // Wildcards, and topics of the broker itself (MQTT 3.1.1, section 4.7).
        guard !prefix.contains(where: { "+#?".contains($0) }), !prefix.hasPrefix("$"),
            prefix.utf8.count <= Self.longestPrefix
        else {
            throw Failure(
                .usage,
                "'\(address.path)' is no beginning of topics: write a path of letters and digits "
                    + "after the port, such as /house/dns"
            )
        }
    }
}
