/// mosquitto, a broker of MQTT.
package struct Mosquitto: ServerProgram {
    package static let command = "mosquitto"
    package static let package = "mosquitto"

    package let sign = ReadinessSign.accepts
    /// Whether the broker requires the user `me` and the password `secret`.
    let needsLogin: Bool
    let certificate: Certificate?

    /// The line of mosquitto_passwd for this user and password.
    private static let login =
        "me:$7$101$Zd3ao+djKUy2gv0b$NvPHBC49s5VnXvG6+nMq//GwcvnAoG5nRVzRRqx0MUm8dr9QWY0LAnU2mm5zU6wESs6N"
        + "uhfEwu7g7UPOAsN0uQ=="

    package init(needsLogin: Bool = false, _ certificate: Certificate? = nil) {
        (self.needsLogin, self.certificate) = (needsLogin, certificate)
    }

    package func prepare(in folder: TemporaryFolder, ports: [UInt16]) throws -> [String] {
        var lines = ["listener \(ports[0]) \(address)", "user root"]
        if needsLogin {
            let file = try folder.write(Self.login + "\n", to: "passwords")
            lines += ["allow_anonymous false", "password_file \(file)"]
        } else {
            lines.append("allow_anonymous true")
        }
        if let certificate {
            lines += ["certfile \(certificate.file)", "keyfile \(certificate.key)"]
        }
        return ["-c", try folder.write(lines.joined(separator: "\n") + "\n", to: "mosquitto.conf")]
    }

    /// The kept messages of a broker on loopback, by topic. Throws unless there are exactly `count`.
    package static func messages(
        of server: RunningServer,
        count: Int
    ) async throws -> [String: String] {
        let output = try await Program("mosquitto_sub", package: "mosquitto-clients").run([
            "-h", "127.0.0.1", "-p", "\(server.port)", "-t", "#", "-C", "\(count)", "-W", "60",
            "-F", "%t %p",
        ])
        let lines = output.output.split(separator: "\n")
        guard output.code == 0, lines.count == count else {
            throw ServerError("mosquitto has \(lines.count) messages: \(output.errors)")
        }
        return Dictionary(
            lines.map { line in
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                return (parts[0], parts.count > 1 ? parts[1] : "")
            }
        ) { _, last in last }
    }
}
