#if DEBUG || TESTABLE
import Catalogue
import DNSWire

@testable import Transports

/// The web server that HTTP targets are said to come from; nothing is sent to it.
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

    /// A query as it is sent to it.
    @EventLoopActor
    static func conversation() -> Conversation {
        Conversation(Attempt(AnswerTarget.queries[0].padded, id: 0))
    }

    /// Has `framing` carry a query and take the bytes of an input, the first of which says in what
    /// pieces the others come. An answer has to be one of the `contents` of these.
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
