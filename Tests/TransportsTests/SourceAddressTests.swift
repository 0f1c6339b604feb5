import Catalogue
import Testing
import Transports

struct SourceAddressTests {
    @Test(arguments: ["127.0.0.1:53", "127.9.9.9:5353"])
    func `queries to this machine have a loopback source`(text: String) throws {
        let source = SourceAddress.toward(try Endpoint(parsing: text))
        let own = try #require(source)
        #expect(own.isLoopback)
        #expect(own.family == .v4)
    }

    @Test func `without a route there is no source`() throws {
        // No interface has this name.
        let endpoint = try Endpoint(parsing: "fe80::1%nowhere")
        #expect(SourceAddress.toward(endpoint) == nil)
    }
}
