#if DEBUG || FUZZ
import Catalogue
import DNSWire

@testable import Transports

/// The web server that HTTP targets are said to come from; nothing is sent to it.
enum WebService {
    static let service: HTTPService = {
        guard let address = IPAddress(octets: [127, 0, 0, 1]),
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
}
#endif
