import Catalogue
import Testing

@testable import Transports

@Suite struct SystemLookupTests {
    // An address is its own answer: no query is sent.
    @Test(arguments: ["127.0.0.1", "::1"])
    func `the system knows an address`(text: String) async throws {
        let address = try #require(IPAddress(text))
        #expect(try await SystemLookup.addresses(of: text) == [address])
    }
}
