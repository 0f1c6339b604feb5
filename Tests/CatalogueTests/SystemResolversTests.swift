import Testing

@testable import Catalogue

struct SystemResolversTests {
    private static func addresses(_ system: SystemResolvers) -> [String] {
        system.nameservers.map(\.address.description)
    }

    @Test(arguments: [("plain", false), ("odd", true), ("stub", false)])
    func `an IPv6 default route leaves the machine`(name: String, hasRoute: Bool) throws {
        #expect(try Fixture.system(name).hasDefaultRoute6 == hasRoute)
    }

    @Test func `nameservers are read in their order`() throws {
        let system = try Fixture.system("plain")
        #expect(Self.addresses(system) == ["192.0.2.1", "2001:db8::53"])
        #expect(
            system.nameservers.map(\.source)
                == [String](repeating: Fixture.path("plain/resolv.conf"), count: 2)
        )
    }

    @Test func `lines are read as libc reads them`() throws {
        let system = try Fixture.system("odd")
        #expect(Self.addresses(system) == ["192.0.2.2", "192.0.2.3", "192.0.2.4"])
        #expect(system.remarks.count == 2)
    }

    @Test(arguments: [
        ("nameserver 192.0.2.1 # home", "192.0.2.1"), ("nameserver\t 192.0.2.1\tx", "192.0.2.1"),
        ("nameserver 127.1", "127.0.0.1"), ("nameserver 0300.0.2.010", "192.0.2.8"),
        ("nameserver 2001:DB8:0::1", "2001:db8::1"), ("nameserver 2001:db8::1%any", "2001:db8::1"),
        ("nameserver fe80::1%link0", "fe80::1%link0"), ("nameserver ::ffff:192.0.2.1", "192.0.2.1"),
    ])
    func `an address is read in every form that libc reads`(line: String, address: String) throws {
        let (system, remarks) = try Fixture.system(configuration: line, interface: "link0")
        #expect(Self.addresses(system) == [address])
        #expect(remarks.isEmpty)
    }

    @Test(arguments: [
        ("192.0.2.1#5353", "'192.0.2.1#5353' is no address (it cannot have a port)"),
        ("192.0.2.1:5353", "'192.0.2.1:5353' is no address (it cannot have a port)"),
        ("192.0.2.1;x", "'192.0.2.1;x' is no address"), ("", "'' is no address"),
        ("192.0.2.1\r", #"'192.0.2.1\u{d}' is no address with the carriage return at its end"#),
        ("[2001:db8::1]", "'[2001:db8::1]' is no address"), ("dns.example", "'dns.example' is no"),
    ])
    func `a line that libc ignores gives no nameserver`(value: String, remark: String) throws {
        let text = "# \n nameserver 192.0.2.8\nnameserver \(value)\nnameserver 192.0.2.9\n"
        let (system, remarks) = try Fixture.system(configuration: text, interface: "link0")
        #expect(Self.addresses(system) == ["192.0.2.9"])
        #expect(remarks.count == 1)
        #expect(remarks.first?.hasPrefix("resolv.conf:3: \(remark)") == true, "\(remarks)")
        #expect(remarks.first?.hasSuffix(", so the C library ignores this line") == true)
    }

    @Test func `the number of nameservers has the limit of libc`() throws {
        let lines = (1...5).map { "nameserver 192.0.2.\($0)\n" } + ["nameserver x\n"]
        let (system, remarks) = try Fixture.system(
            configuration: lines.joined(),
            interface: "link0"
        )
        #expect(Self.addresses(system) == ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
        #expect(remarks.count == 3)
        #expect(
            remarks.first == "resolv.conf:4: the C library asks the first 3 nameservers, so it does"
                + " not ask 192.0.2.4"
        )
    }

    @Test func `the number of remarks is limited`() throws {
        let text = String(repeating: "nameserver x\n", count: 10_000)
        let (system, remarks) = try Fixture.system(configuration: text, interface: "link0")
        #expect(Self.addresses(system) == ["127.0.0.1"])
        #expect(remarks.count == 8)
    }

    @Test(arguments: [
        ("fe80::1", "fe80::1 needs an interface, as in fe80::1%eth0"),
        ("fe80::1%link1", "this machine has no interface 'link1'"),
    ])
    func `a link-local address needs an interface`(value: String, reason: String) throws {
        let text = "nameserver \(value)\n"
        let remark = "resolv.conf:1: \(reason), so the C library cannot ask this nameserver"
        let (alone, remarks) = try Fixture.system(configuration: text, interface: "link0")
        #expect(alone.nameservers.isEmpty)
        #expect(remarks == [remark])
        let error = #expect(throws: CatalogueError.self) { try alone.resolver(1, label: nil) }
        #expect(error?.description.hasPrefix("there is no 'system': ") == true)
        #expect(error?.description.contains(reason) == true)
        let others = try ResolverCatalogue.bundled().defaultResolvers(system: alone)
        #expect(!others.isEmpty && !others.contains(where: \.isNameserver))
        // The unusable nameserver counts as one of the three.
        let (four, _) = try Fixture.system(
            configuration: text + "nameserver ::1\nnameserver ::2\nnameserver ::3\n",
            interface: "link0"
        )
        #expect(Self.addresses(four) == ["::1", "::2"])
    }

    @Test func `a file without nameservers is distinguished from a missing file`() throws {
        let (system, _) = try Fixture.system(configuration: "options edns0\n", interface: "link0")
        #expect(Self.addresses(system) == ["127.0.0.1"])
        let source = try #require(system.nameservers.first?.source)
        #expect(source.hasPrefix("default, ") && source.hasSuffix(" has none"))
        let none = try #require(Fixture.system("no-such-machine").nameservers.first?.source)
        #expect(none.hasPrefix("default without "))
    }

    @Test func `the upstreams of a stub resolver are listed after it`() throws {
        let system = try Fixture.system("stub")
        #expect(Self.addresses(system) == ["127.0.0.53", "192.0.2.1", "fe80::1%eth0"])
        #expect(system.stubUpstreams.map(\.description) == ["192.0.2.1", "fe80::1%eth0"])
        #expect(system.mechanism == .systemdResolved)
    }

    @Test(
        arguments: [
            ("# Generated by NetworkManager\nnameserver 192.0.2.1", .networkManager),
            ("# resolv.conf(5) file generated by resolvconf(8)\n", .resolvconf),
            ("# Generated by resolvconf\nnameserver 192.0.2.1", .openresolv),
            ("nameserver 127.0.0.54", .systemdResolved), ("nameserver 192.0.2.1", .plainFile),
        ] as [(String, ResolverSetup.Mechanism)]
    )
    func `a file's writer is recognised`(text: String, mechanism: ResolverSetup.Mechanism) throws {
        #if !os(macOS)
        let (system, _) = try Fixture.system(configuration: text, interface: "link0")
        #expect(system.mechanism == mechanism)
        #endif
    }

    @Test func `without a file the nameserver is the machine itself, as in libc`() throws {
        let system = try Fixture.system("no-such-machine")
        #expect(Self.addresses(system) == ["127.0.0.1"])
        #expect(system.gateway == nil)
    }

    @Test(
        arguments: [
            ("plain", "192.0.2.254"), ("odd", "fe80::1%eth0"), ("stub", nil),
        ] as [(String, String?)]
    )
    func `the gateway has the lowest active metric`(folder: String, gateway: String?) throws {
        #expect(try Fixture.system(folder).gateway?.description == gateway)
    }
}
