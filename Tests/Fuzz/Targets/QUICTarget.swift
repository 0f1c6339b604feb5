#if (DEBUG || TESTABLE) && QUIC
import Catalogue
import DNSWire
import FuzzJudge
import Transports

/// A QUIC server's transport parameters, and its frames in the first packet or after a valid
/// handshake: ends, resets, tokens, streams (RFC 9000 §18, §19).
enum QUICTarget {
    struct Plan: Sendable {
        /// Whether the frames follow the handshake. Otherwise they replace it.
        var shakesHands: Bool
        /// Whether the required parameters are added.
        var namesConnections: Bool
        var parameters: [UInt8]
        var frames: [UInt8]

        /// Reads a choice, the length of the parameters, the parameters, and the frames.
        init(_ input: [UInt8]) {
            let choice = input.first ?? 0
            let size = Int(input.dropFirst().first ?? 0)
            shakesHands = choice & 1 != 0
            namesConnections = choice & 2 != 0
            parameters = Array(input.dropFirst(2).prefix(size))
            // Padding after the frames, because at least four bytes are needed to seal a packet
            // (RFC 9001 §5.4.2).
            frames = input.dropFirst(2 + parameters.count).prefix(1_000) + [0, 0, 0, 0]
        }
    }

    private static let server = QUICLiar()
    private static let timeout = Duration.milliseconds(40)

    @EventLoopActor
    static func take(_ input: [UInt8]) async {
        guard let server, let address = IPAddress(bytes: [127, 0, 0, 1]),
            let credentials = try? TLSCredentials(.anybody),
            let allowed = try? AllowedNetworks(parsing: "127.0.0.0/8")
        else { accuse("loopback cannot be used") }
        let plan = Plan(input)
        server.prepare(plan)
        let service = EncryptedService(
            at: Endpoint(transport: .quic, address: address, port: server.port),
            credentials: credentials,
            connections: .fresh,
            allowed: allowed
        )
        let query = AnswerTarget.queries[0]
        let exchange = await EncryptedTransport(to: service).exchange(query, timeout: timeout)
        for time in [exchange.roundTrip, exchange.handshake].compactMap({ $0 })
        where !(.zero...timeout).contains(time) {
            accuse("a time of \(time) under a timeout of \(timeout)")
        }
        // Over QUIC, every query has the ID 0 (RFC 9250 §4.2.1).
        guard case .response(let response) = exchange.result,
            let inquiry = Inquiry(sent: query.bytes(id: 0))
        else { return }
        let claim = Claim(response)
        let stream = SentFrames.stream(in: plan.frames)
        for message in FramesTarget.messages(in: stream)
        where claim.lie(about: message, to: inquiry) == nil { return }
        accuse("no message that the server sent is the answer")
    }

    /// Returns a CRYPTO frame (§19.6).
    static func crypto(_ octets: [UInt8], at offset: Int) -> [UInt8] {
        let numbers = [offset, octets.count].flatMap { [0x40 | UInt8($0 >> 8), UInt8($0 & 0xff)] }
        return [6] + numbers + octets
    }
}
#endif
