import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

@Suite struct TicketTests {
    /// Has one service leave a ticket, and offers that to the others.
    @EventLoopActor
    private func uses<Connection: QueryConnection>(
        ofTicketFrom giver: EncryptedService,
        for takers: [EncryptedService],
        opening open: @escaping @EventLoopActor (EncryptedService, Connection.Ticket?) -> Connection
    ) async throws -> [Exchange] {
        let asked = try query().padded
        var ticket: Connection.Ticket?
        let giving = KeptConnection<Connection>(to: giver) { given in
            ticket = given
            return open(giver, nil)
        }
        var exchanges: [Exchange] = []
        // Servers may take each ticket once.
        for taker in takers {
            ticket = nil
            while ticket == nil {
                let first = await giving.exchange(timeout: .seconds(60)) { _ in
                    Attempt(asked, id: 0)
                }
                #expect(first.response != nil, "\(first)")
                #expect(try await eventually { giving.hasTicket })
            }
            let taking = KeptConnection<Connection>(to: taker) { _ in open(taker, ticket) }
            exchanges.append(
                await taking.exchange(timeout: .seconds(60)) { _ in Attempt(asked, id: 0) }
            )
        }
        return exchanges
    }

    @Test(arguments: Encryption.allCases)
    func `a ticket is worth nothing where more is asked for than when it was given`(
        encryption: Encryption
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let authority = try await ThrowawayAuthority(in: folder)
        let certificate = try await authority.selfSigned(for: "dot.test")
        let log = folder.file("responder.log")
        try await encryption.withServer(certificate, log: log) { server in
            let anybody = try TLSCredentials(.anybody)
            let root = try TLSCredentials(.file(authority.root))
            let pinned = try TLSCredentials(.anybody, pins: [[UInt8](repeating: 7, count: 32)])
            let other = TLSCredentials(anybody, hashes: [[UInt8](repeating: 7, count: 32)])
            let elsewhere = TLSCredentials(anybody, address: [192, 0, 2, 1])
            func service(_ credentials: TLSCredentials) throws -> EncryptedService {
                EncryptedService(
                    at: Endpoint(
                        transport: encryption.kind,
                        address: try #require(IPAddress("127.0.0.1")),
                        port: server.port
                    ),
                    name: "dot.test",
                    credentials: credentials,
                    connections: .resume,
                    allowed: try AllowedNetworks(parsing: "127.0.0.0/8")
                )
            }
            let giver = try service(anybody)
            let takers = try [anybody, root, pinned, other, elsewhere].map(service)
            let exchanges =
                switch encryption {
                case .tls:
                    try await uses(ofTicketFrom: giver, for: takers) {
                        (service: EncryptedService, ticket: TLSConnection.Ticket?) -> TLSConnection
                        in
                        TLSConnection(to: service, carrying: DNSFraming(), ticket: ticket)
                    }
                case .https:
                    try await uses(ofTicketFrom: giver, for: takers) {
                        (service: EncryptedService, ticket: TLSConnection.Ticket?) -> TLSConnection
                        in
                        let web = HTTPService(service, path: nil, method: .post)
                        return TLSConnection(
                            to: service,
                            carrying: HTTP2Framing(web),
                            ticket: ticket
                        )
                    }
                #if QUIC
                case .quic:
                    try await uses(ofTicketFrom: giver, for: takers) {
                        (service: EncryptedService, ticket: QUICConnection.Ticket?)
                            -> QUICConnection in
                        QUICConnection(to: service, carrying: DNSStreams(), ticket: ticket)
                    }
                case .h3:
                    try await uses(ofTicketFrom: giver, for: takers) {
                        (service: EncryptedService, ticket: QUICConnection.Ticket?)
                            -> QUICConnection in
                        let web = HTTPService(service, path: nil, method: .post)
                        return QUICConnection(
                            to: service,
                            carrying: HTTP3Streams(web),
                            ticket: ticket
                        )
                    }
                #endif
                }
            #expect([.resumed, .early].contains(exchanges.first?.connection))
            #expect(exchanges.first?.response?.addresses == [[192, 0, 2, 1]])
            for exchange in exchanges.dropFirst() {
                guard case .untrusted = exchange.result else {
                    Issue.record("\(exchange)")
                    continue
                }
                #expect(exchange.connection == nil)
            }
        }
    }
}
