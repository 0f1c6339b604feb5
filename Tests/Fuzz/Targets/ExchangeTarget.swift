#if DEBUG || TESTABLE
import Catalogue
import DNSWire
import FuzzJudge
import Transports

/// A query that is sent over UDP on loopback. The input selects what follows: right and wrong
/// answers, from the resolver's port and from another port.
///
/// Every accepted answer came from the resolver. No time is negative or longer than the timeout.
enum ExchangeTarget {
    private static let responder = LoopbackLiar()
    private static let timeout = Duration.milliseconds(4)

    @EventLoopActor
    static func take(_ input: [UInt8]) async {
        guard let responder, let address = IPAddress(bytes: [127, 0, 0, 1]),
            let allowed = try? AllowedNetworks(parsing: "127.0.0.0/8")
        else { accuse("loopback cannot be used") }
        let transport = UDPTransport(
            to: Endpoint(transport: .udp, address: address, port: responder.port),
            allowed: allowed
        )
        responder.prepare(input)
        let exchange = await transport.exchange(AnswerTarget.queries[0], timeout: timeout)
        for time in [exchange.roundTrip, exchange.truncated].compactMap({ $0 })
        where !(.zero...timeout).contains(time) {
            accuse("a time of \(time) under a timeout of \(timeout)")
        }
        guard case .response(let response) = exchange.result else { return }
        let claim = Claim(response)
        guard let sent = responder.sent, let inquiry = Inquiry(sent: sent.query),
            sent.answers.contains(where: { claim.lie(about: $0, to: inquiry) == nil })
        else { accuse("nothing that the resolver sent is the answer") }
    }
}
#endif
