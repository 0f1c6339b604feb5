import Catalogue
import Measurement
import Samples
import Testing

struct PaceTests {
    private static func endpoint(_ octets: [UInt8], port: UInt16) throws -> Endpoint {
        let address = try #require(IPAddress(bytes: octets))
        return Endpoint(transport: .udp, address: address, port: port)
    }

    @Test(
        arguments: [
            (rate: 20.0, octets: [192, 0, 2, 53], port: 53),
            (rate: 20_000, octets: [127, 0, 0, 1], port: 5353),
            (rate: 20_000, octets: [UInt8](repeating: 0, count: 15) + [1], port: 5353),
        ] as [(rate: Double, octets: [UInt8], port: UInt16)]
    )
    func `a moderate pace is allowed`(rate: Double, octets: [UInt8], port: UInt16) throws {
        let endpoint = try Self.endpoint(octets, port: port)
        try Pace(rate: rate, totalRate: rate).checked(for: endpoint)
    }

    @Test(
        arguments: [
            (octets: [192, 0, 2, 53], port: 5353),
            (octets: [127, 0, 0, 53], port: 53),
            (octets: [UInt8](repeating: 0, count: 15) + [2], port: 5353),
        ] as [(octets: [UInt8], port: UInt16)]
    )
    func `a faster pace needs permission`(octets: [UInt8], port: UInt16) throws {
        let endpoint = try Self.endpoint(octets, port: port)
        let pace = Pace(rate: 20.5, totalRate: 15)
        let error = #expect(throws: (any Error).self) { try pace.checked(for: endpoint) }
        #expect(error.map { "\($0)" }?.contains("--i-run-these-resolvers") == true)
        try pace.checked(for: endpoint, isLab: true)
        try pace.checked(for: endpoint, runsResolvers: true)
    }
}
