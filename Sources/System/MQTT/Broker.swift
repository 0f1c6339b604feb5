import CLibraries
import CMosquitto
package import Failures
import LibC

/// A broker of MQTT 3.1.1.
package struct Broker: Sendable {
    /// A message that the broker keeps for new subscribers (retained).
    package struct Message: Hashable, Sendable {
        package let topic: String
        package let payload: String

        package init(topic: String, payload: String) {
            (self.topic, self.payload) = (topic, payload)
        }
    }

    /// The user and the password of a broker.
    package struct Login: Hashable, Sendable {
        package let user: String
        package let password: String?

        package init(user: String, password: String?) {
            (self.user, self.password) = (user, password)
        }
    }

    private let host: String
    private let port: UInt16
    private let client: String
    private let login: Login?
    private let isEncrypted: Bool

    /// `host` is the address to connect to. With encryption it may be a name. The certificate must be valid
    /// for it. `client` identifies this program at the broker.
    package init(
        host: String,
        port: UInt16,
        client: String,
        login: Login?,
        isEncrypted: Bool
    ) {
        (self.host, self.port, self.client) = (host, port, client)
        (self.login, self.isEncrypted) = (login, isEncrypted)
    }

    /// Throws if libmosquitto is not installed.
    package static func checkLibrary() throws(Failure) {
        guard clibraries_load(clibraries_mosquitto) == 0 else { return }
        let package = unsafe String(cString: clibraries_package(clibraries_mosquitto))
        throw Failure(
            .unavailable,
            "--mqtt needs libmosquitto, which is not installed: install \(package)"
        )
    }

    /// Connects, publishes messages until the broker has acknowledged all (QoS 1), and disconnects. Ends at
    /// `deadline`, and when the descriptor `stop` is readable or hung up. The descriptor -1 means none. The
    /// error is the reason only, such as `Connection refused`.
    package func publish(
        _ messages: [Message],
        until deadline: ContinuousClock.Instant,
        stop: Int32 = -1
    ) throws(Failure) {
        let rest = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        var texts = unsafe [UnsafeMutablePointer<CChar>?]()
        defer { unsafe texts.forEach { unsafe free($0) } }
        func copy(_ text: String) -> UnsafePointer<CChar>? {
            unsafe texts.append(strdup(text))
            return unsafe UnsafePointer(texts[texts.count - 1])
        }
        let list = unsafe messages.map { message in
            unsafe cmosquitto_message(
                topic: copy(message.topic),
                payload: copy(message.payload),
                length: message.payload.utf8.count
            )
        }
        var broker = unsafe cmosquitto_broker(
            host: copy(host),
            port: Int32(port),
            client: copy(client),
            user: login.map { unsafe copy($0.user) } ?? nil,
            password: login?.password.map { unsafe copy($0) } ?? nil,
            is_encrypted: isEncrypted ? 1 : 0
        )
        var reason = [CChar](repeating: 0, count: 256)
        let result = unsafe cmosquitto_publish(
            &broker,
            list,
            list.count,
            max(1, Int(rest)),
            stop,
            &reason
        )
        guard result != cmosquitto_done else { return }
        let bytes = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw Failure(
            result == cmosquitto_refused ? .configuration : .busy,
            String(decoding: bytes, as: UTF8.self)
        )
    }
}
