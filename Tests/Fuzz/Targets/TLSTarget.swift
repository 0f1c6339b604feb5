#if DEBUG || TESTABLE
import Catalogue
import DNSWire
import FuzzJudge

@testable import Transports

/// The records that a server of DNS over TLS sends after a valid handshake: content, tickets, key
/// updates, alerts, its end, and bytes that are not a record.
enum TLSTarget {
    struct Step {
        enum Kind: UInt8, CaseIterable { case answer, content, raw, keyUpdate, ticket, alert, end }

        var kind: Kind
        var octets: [UInt8]
    }

    private static let server = TLSLiar()
    private static let timeout = Duration.milliseconds(250)

    /// Reads the steps. Before each step, one byte selects its kind, and one byte is its length.
    static func steps(of input: [UInt8]) -> [Step] {
        var steps: [Step] = []
        var rest = input[...]
        while let choice = rest.popFirst(), let count = rest.popFirst(), steps.count < 32 {
            let kind = Step.Kind(rawValue: choice % UInt8(Step.Kind.allCases.count)) ?? .raw
            steps.append(Step(kind: kind, octets: Array(rest.prefix(Int(count)))))
            rest = rest.dropFirst(Int(count))
        }
        return steps
    }

    @EventLoopActor
    static func take(_ input: [UInt8]) async {
        guard let server, let address = IPAddress(bytes: [127, 0, 0, 1]),
            let credentials = try? TLSCredentials(.anybody),
            let allowed = try? AllowedNetworks(parsing: "127.0.0.0/8")
        else { accuse("loopback cannot be used") }
        server.prepare(input)
        let service = EncryptedService(
            at: Endpoint(transport: .tls, address: address, port: server.port),
            credentials: credentials,
            connections: .fresh,
            allowed: allowed
        )
        let exchange = await EncryptedTransport(to: service).exchange(
            AnswerTarget.queries[0],
            timeout: timeout
        )
        for time in [exchange.roundTrip, exchange.connect, exchange.handshake].compactMap({ $0 })
        where !(.zero...timeout).contains(time) {
            accuse("a time of \(time) under a timeout of \(timeout)")
        }
        guard case .response(let response) = exchange.result else { return }
        let claim = Claim(response)
        guard let sent = server.sent, let inquiry = Inquiry(sent: sent.query),
            FramesTarget.messages(in: sent.content).contains(where: {
                claim.lie(about: $0, to: inquiry) == nil
            })
        else { accuse("no message that the server sent is the answer") }
    }
}
#endif
