#if DEBUG || TESTABLE
import Catalogue
import DNSWire

@testable import Transports

/// The simulated web server of the HTTP targets; nothing is sent to it.
enum WebService {
    static let service: HTTPService = {
        guard let address = IPAddress(bytes: [127, 0, 0, 1]),
            let credentials = try? TLSCredentials(.anybody),
            let allowed = try? AllowedNetworks(parsing: "127.0.0.0/8")
        else { accuse("no service can be described") }
        let service = EncryptedService(
            at: Endpoint(transport: .https, address: address, port: 443),
            name: "doh.test",
            credentials: credentials,
            connections: .reuse,
            allowed: allowed
        )
        return HTTPService(service, path: nil, method: .post)
    }()

    /// Returns a query as the client sends it to this server.
    @EventLoopActor
    static func conversation() -> Conversation {
        Conversation(Attempt(AnswerTarget.queries[0].padded, id: 0))
    }

    /// Passes a query and the bytes of an input to `framing`. The first byte selects the size of
    /// the pieces in which the others arrive. An accepted answer must be one of the `contents` of
    /// these bytes.
    @EventLoopActor
    static func take(
        _ input: [UInt8],
        by framing: some Framing,
        contents: ([UInt8]) -> [[UInt8]]
    ) {
        guard let size = input.first else { return }
        let conversation = conversation()
        framing.add(conversation.query)
        let octets = Array(input.dropFirst())
        do {
            while try framing.outgoing() != nil {}
            for piece in octets.pieces(of: 8 * Int(size)) {
                try unsafe piece.withUnsafeBytes { bytes in
                    try unsafe framing.take(bytes, conversation.arrival)
                }
                while try framing.outgoing() != nil {}
            }
            framing.takeEnd(conversation.arrival)
        } catch {}
        conversation.conclude(contents(octets))
    }
}
#endif
