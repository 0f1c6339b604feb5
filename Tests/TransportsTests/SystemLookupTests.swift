import Catalogue
import Testing

@testable import Transports

@Suite struct SystemLookupTests {
    // The lookup of an address returns this address, and no query is sent.
    @Test(arguments: ["127.0.0.1", "::1"])
    func `the system lookup of an address returns the address`(text: String) async throws {
        let address = try #require(IPAddress(text))
        #expect(try await SystemLookup.addresses(of: text) == [address])
    }
}
