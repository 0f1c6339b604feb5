import Testing

@testable import Catalogue

struct SystemResolversTests {
    private static func addresses(_ system: SystemResolvers) -> [String] {
        system.nameservers.map(\.address.description)
    }

    @Test(arguments: [("plain", false), ("odd", true), ("stub", false)])
    func `a default route for IPv6 is one that leaves the machine`(
        name: String,
        hasRoute: Bool
    ) throws {
        #expect(try Fixture.system(name).hasDefaultRoute6 == hasRoute)
    }

    @Test func `nameservers are read in their order`() throws {
        let system = try Fixture.system("plain")
        #expect(Self.addresses(system) == ["192.0.2.1", "2001:db8::53"])
        #expect(
            system.nameservers.map(\.source)
                == [String](
                    repeating: Fixture.path("plain/resolv.conf"),
                    count: 2
                )
        )
    }

    @Test func `lines are read as libc reads them`() throws {
        let system = try Fixture.system("odd")
        #expect(Self.addresses(system) == ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"])
    }

    @Test func `behind the stub resolver its upstreams follow`() throws {
        let system = try Fixture.system("stub")
        #expect(Self.addresses(system) == ["127.0.0.53", "192.0.2.1", "fe80::1%eth0"])
    }

    @Test func `without a file the machine itself is asked, as libc does`() throws {
        let system = try Fixture.system("no-such-machine")
        #expect(Self.addresses(system) == ["127.0.0.1"])
        #expect(system.gateway == nil)
    }

    @Test(
        arguments: [
            ("plain", "192.0.2.254"), ("odd", "fe80::1%eth0"), ("stub", nil),
        ] as [(String, String?)]
    )
    func `the gateway is the one of the lowest metric that is up`(
        folder: String,
        gateway: String?
    ) throws {
        #expect(try Fixture.system(folder).gateway?.description == gateway)
    }
}
