import Catalogue
import DNSWire
import Servers
import Testing

@testable import Transports

@Suite struct TicketTests {
    /// For each service in `takers`, gets a ticket from `giver` and offers it to that service.
    /// Returns the exchanges with `takers`.
    @EventLoopActor
    private func uses(
        ofTicketsFrom giver: EncryptedService,
        for takers: [EncryptedService]
    ) async throws -> [Exchange] {
        var exchanges: [Exchange] = []
        // Servers may accept each ticket only once, so each taker gets a new ticket.
        for taker in takers {
            let giving = EncryptedTransport(to: giver)
            let first = await giving.exchange(try query(), timeout: .seconds(60))
            #expect(first.response != nil, "\(first)")
            #expect(try await eventually { giving.nextTicket != nil })
            let taking = EncryptedTransport(to: taker)
            taking.ticket = giving.nextTicket
            exchanges.append(await taking.exchange(try query(), timeout: .seconds(60)))
        }
        return exchanges
    }

    @Test(arguments: Encryption.allCases)
    func `a ticket is not used with stricter options`(encryption: Encryption) async throws {
        let folder = TemporaryFolder()
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
            let exchanges = try await uses(ofTicketsFrom: giver, for: takers)
            #expect([.resumed, .early].contains(exchanges.first?.connection))
            #expect(exchanges.first?.response?.addresses == [[192, 0, 2, 1]])
            for exchange in exchanges.dropFirst() {
                #expect(exchange.distrust != nil, "\(exchange)")
                #expect(exchange.connection == nil)
            }
        }
    }
}
