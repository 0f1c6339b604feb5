import Failures
import Testing

@testable import Catalogue

@Suite struct TransportChoiceTests {
    private static let full: CatalogueEntry = {
        let address = IPAddress("192.0.2.1")
        var entry = CatalogueEntry(
            name: "full",
            title: "Full",
            endpoints: [address].compactMap(\.self).map {
                Endpoint(transport: .udp, address: $0, port: 53)
            }
        )
        entry.encrypted.tls = "dot.full.example"
        entry.encrypted.https = "https://doh.full.example/q"
        entry.encrypted.quic = "doq.full.example"
        entry.encrypted.hasHTTP3 = true
        return entry
    }()

    private static func resolver(_ notation: String) throws -> Resolver {
        var sealed = full
        sealed.name = "sealed"
        sealed.endpoints = []
        sealed.isEncryptedOnly = true
        sealed.bootstrap = [IPAddress("192.0.2.7")].compactMap(\.self)
        return try #require(
            try ResolverCatalogue(entries: [full, sealed])
                .resolvers(named: [notation], system: Fixture.system("plain")).first
        )
    }

    @Test(arguments: [
        ("full", ["udp", "tcp", "tls", "https", "quic", "h3"]),
        ("sealed", ["tls", "https", "quic", "h3"]),
        ("system", ["udp", "tcp"]),
        ("127.0.0.1:5311", ["udp", "tcp"]),
        ("tcp://192.0.2.1", ["tcp"]),
        ("tls://192.0.2.1#full.example", ["tls"]),
        ("tls://dot.full.example", ["tls"]),
    ])
    func `all means the known transports`(notation: String, transports: [String]) throws {
        let resolver = try Self.resolver(notation)
        let carried = try resolver.over(.all).map(\.endpoint.transport)
        #expect(
            carried.map(\.rawValue) + []
                == transports.filter { name in
                    TransportKind(rawValue: name)?.isCarried == true
                }
        )
        let left = resolver.uncarriedTransports.map(\.rawValue)
        #expect(Set(left).union(carried.map(\.rawValue)) == Set(transports))
    }

    @Test func `each transport has its own place`() throws {
        let resolver = try Self.resolver("full")
        let places = try TransportKind.allCases.map { try resolver.over($0).place }
        #expect(
            places == [
                "192.0.2.1:53", "192.0.2.1:53", "192.0.2.1:853#dot.full.example",
                "192.0.2.1:443/q#doh.full.example", "192.0.2.1:853#doq.full.example",
                "192.0.2.1:443/q#doh.full.example",
            ]
        )
        #expect(
            try Self.resolver("sealed").over(.https).place == "192.0.2.7:443/q#doh.full.example"
        )
    }

    @Test func `a service without plain DNS gets no plain queries`() throws {
        let sealed = try Self.resolver("sealed")
        let line = "'sealed' serves encrypted transports only; leave out the resolver or tcp"
        #expect(throws: CatalogueError(.usage, line)) {
            try sealed.over(.listed([.tls, .tcp]))
        }
    }

    @Test(arguments: [
        ("all", TransportChoice.all), ("udp", .listed([.udp])), ("tls,udp", .listed([.tls, .udp])),
    ])
    func `a choice is all or a list`(text: String, choice: TransportChoice) throws {
        #expect(try TransportChoice(parsing: text) == choice)
    }

    @Test(arguments: ["", "all,udp", "ALL", "udp,,tls"])
    func `an invalid choice is rejected`(text: String) {
        #expect(throws: CatalogueError.self) { try TransportChoice(parsing: text) }
    }
}
