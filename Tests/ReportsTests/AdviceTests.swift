import Catalogue
import Samples
import Testing

@testable import Reports

/// The settings that a report proposes.
@Suite struct AdviceTests {
    /// A run with a faster resolver, and with the resolver of the machine at `system`.
    private func fixture(
        system: String,
        label: String = "system",
        _ setup: ResolverSetup? = nil
    ) throws -> Fixture {
        var fixture = try Fixture(rounds: 12)
        fixture.context.baseline = label
        fixture.context.isBaselineInUse = true
        fixture.context.resolverSetup = setup
        fixture.add(label, endpoint: system, outcome: Fixture.noise(21, 3, seed: 1))
        fixture.add("fast", endpoint: "198.51.100.1:53", outcome: Fixture.noise(10, 3, seed: 2))
        return fixture
    }

    private func setup(_ mechanism: ResolverSetup.Mechanism, _ upstreams: String...)
        -> ResolverSetup
    {
        ResolverSetup(vantage: "desk", mechanism: mechanism, upstreams: upstreams)
    }

    @Test(arguments: [
        ("127.0.0.53:53", "system"), ("127.0.0.54:53", "mine"), ("127.0.0.1:53", "system"),
        ("[::1]:53", "mine"),
    ])
    func `a stub resolver is replaced by its server or omitted`(endpoint: String, label: String)
        throws
    {
        let unknown = try #require(Advice(of: try fixture(system: endpoint, label: label).report))
        #expect(unknown.addresses == ["198.51.100.1"] && unknown.second == nil)
        let stub = setup(.systemdResolved, "192.0.2.1", "192.0.2.2")
        let known = try #require(
            Advice(of: try fixture(system: endpoint, label: label, stub).report)
        )
        #expect(known.addresses == ["198.51.100.1", "192.0.2.1"])
        let text = TextFormat(width: 100).render(
            try fixture(system: endpoint, label: label, stub).report
        )
        #expect(text.contains("DNS=198.51.100.1 192.0.2.1") && !text.contains("DNS=127"))
    }

    @Test func `the upstreams of another place's stub are unknown`() throws {
        var other = try fixture(system: "127.0.0.53:53", setup(.systemdResolved, "192.0.2.1"))
        other.context.vantage = "attic"
        #expect(try #require(Advice(of: other.report)).addresses == ["198.51.100.1"])
    }

    @Test func `another resolver on loopback remains the second address`() throws {
        var fixture = try fixture(system: "192.0.2.1:53", setup(.plainFile))
        fixture.add("own", endpoint: "127.0.0.1:53", outcome: Fixture.noise(12, 3, seed: 3))
        let advice = try #require(Advice(of: fixture.report))
        #expect(advice.addresses == ["198.51.100.1", "127.0.0.1"])
    }

    @Test(arguments: [
        (ResolverSetup.Mechanism.plainFile, "/etc/resolv.conf"),
        (.systemdResolved, "systemd-resolved"), (.networkManager, "NetworkManager"),
        (.resolvconf, "resolvconf"), (.openresolv, "resolvconf"), (.macOS, "macOS"),
    ])
    func `the router comes first, and the machine's own mechanism last`(
        mechanism: ResolverSetup.Mechanism,
        name: String
    ) throws {
        let report = try fixture(system: "192.0.2.1:53", setup(mechanism)).report
        let places = try #require(Advice(of: report)).places
        #expect(places.map(\.name) == ["Router", "Windows", "Android", "iOS", name])
        #expect(places[0].lines == ["DNS server 1: 198.51.100.1", "DNS server 2: 192.0.2.1"])
        let unknown = try fixture(system: "192.0.2.1:53").report
        #expect(try #require(Advice(of: unknown)).places.count == 4)
    }
}
