import Catalogue
import DNSWire
import Testing

@testable import Samples

@Suite struct RedactionTests {
    private func target(_ label: String, _ endpoint: String) -> Recording.Target {
        Recording.Target(label: label, endpoint: endpoint, transport: "udp", series: .cached)
    }

    private func redaction(
        _ targets: [Recording.Target] = [],
        places: [String] = ["home"],
        names: [String] = [],
        keepingNames: Bool = false
    ) -> Redaction {
        var redaction = Redaction(
            keepingNames: keepingNames,
            publicLabels: ["quad9"],
            publicServers: ["#dns.quad9.net"]
        )
        for place in places { redaction.note(vantage: place) }
        for target in targets { redaction.note(target) }
        for name in names { redaction.note(name: name) }
        return redaction
    }

    @Test(arguments: [
        ("office", "192.168.1.1:53", "private-1", "private-1:53"),
        ("office", "10.0.0.1:853#dns.home", "private-1", "private-1:853"),
        ("office", "10.0.0.1:443/dns-query", "private-1", "private-1:443"),
        ("office", "172.16.5.4:5353", "private-1", "private-1:5353"),
        ("office", "100.64.0.1:53", "private-1", "private-1:53"),
        ("office", "169.254.1.1:53", "private-1", "private-1:53"),
        ("office", "[fd12::1]:53", "private-1", "private-1:53"),
        ("office", "[fe80::1%eth0]:53", "private-1", "private-1:53"),
        ("office", "router.lan:53", "private-1", "private-1:53"),
        ("192.168.1.1", "192.168.1.1:53", "private-1", "private-1:53"),
        ("system", "192.168.1.1:53", "system", "private-1:53"),
        ("gateway", "192.168.1.1:53", "gateway", "private-1:53"),
        ("quad9", "192.168.1.1:53", "quad9", "private-1:53"),
        ("office", "127.0.0.1:5353#my.host", "private-1", "127.0.0.1:5353"),
        ("127.0.0.1:5353", "127.0.0.1:5353", "127.0.0.1:5353", "127.0.0.1:5353"),
        ("office", "9.9.9.9:53", "office", "9.9.9.9:53"),
        ("quad9", "9.9.9.9:443#dns.quad9.net", "quad9", "9.9.9.9:443#dns.quad9.net"),
        ("mine", "9.9.9.9:443/dns-query", "mine", "9.9.9.9:443/dns-query"),
        ("mine", "9.9.9.9:443/my-account#dns.test", "private-1", "9.9.9.9:443"),
        ("mine", "9.9.9.9:853#my-account.dns.test", "private-1", "9.9.9.9:853"),
        ("system-anne", "10.0.0.1:53", "private-1", "private-1:53"),
        ("system-2", "10.0.0.1:53", "system-2", "private-1:53"),
        ("quad9@192.0.2.10", "9.9.9.9:53", "quad9@source-1", "9.9.9.9:53"),
        (
            "office@wwan0 from home", "10.0.0.1:53", "private-1@source-1 from vantage",
            "private-1:53"
        ),
        ("harbour", "lab:harbour", "harbour", "lab:harbour"),
        ("system from home", "192.168.1.1:53", "system from vantage", "private-1:53"),
        ("office from home", "192.168.1.1:53", "private-1 from vantage", "private-1:53"),
    ])
    func `a private endpoint and the label for it are replaced`(
        label: String,
        endpoint: String,
        shownLabel: String,
        shownEndpoint: String
    ) {
        let target = target(label, endpoint)
        let shown = redaction([target]).applied(to: target)
        #expect(shown.label == shownLabel)
        #expect(shown.endpoint == shownEndpoint)
    }

    @Test func `two labels of one address stay two resolvers`() {
        let targets = [target("a1", "10.0.0.1:53"), target("a2", "10.0.0.1:53")]
        let redaction = redaction(targets)
        #expect(targets.map { redaction.applied(to: $0).label } == ["private-1", "private-1-2"])
    }

    @Test func `a private resolver that was not noted has a placeholder without a number`() {
        let shown = redaction().applied(to: target("office", "10.0.0.1:53"))
        #expect(shown == target("private", "private:53"))
    }

    @Test func `one place has no number, and several places are numbered`() {
        #expect(redaction().vantage("home") == "vantage")
        let two = redaction(places: ["home", "Home"])
        #expect(
            ["home", "Home", "cafe"].map(two.vantage) == [
                "vantage-1", "vantage-2", "unknown-vantage",
            ]
        )
    }

    @Test func `names are numbered in their order, without regard to case`() throws {
        let redaction = redaction(names: ["b.example", "*.a.example", "B.example"])
        let names = ["B.EXAMPLE", "*.a.example", "a.example", ".", "c.example"].map(redaction.name)
        #expect(
            names == ["name-1.invalid", "*.zone-2.invalid", "name-2.invalid", ".", "name.invalid"]
        )
        for name in names { _ = try DomainName(name) }
    }

    @Test func `kept names are unchanged`() {
        let redaction = redaction(names: ["b.example"], keepingNames: true)
        #expect(redaction.name("b.example") == "b.example")
        #expect(redaction.text("b.example, c.example") == "b.example, name.invalid")
    }

    @Test(arguments: [
        ("", ""),
        ("no route to 203.0.113.5", "no route to address"),
        ("[2001:db8::1]:53 refused.", "address refused."),
        ("from 203.0.113.0/24/0", "from address"),
        ("127.0.0.1:53 refused", "127.0.0.1:53 refused"),
        ("see https://router.lan/login", "see https://server"),
        ("/home/ann/ca.pem: missing", "path: missing"),
        ("keys/ca.pem: missing", "path: missing"),
        ("for www.example.org: late", "for name.invalid: late"),
        ("at home", "at vantage"),
        ("homes", "homes"),
        ("TLS 1.3 after 2.5ms over TCP/TLS", "TLS 1.3 after 2.5ms over TCP/TLS"),
        ("untruth: invents addresses; ignored 2", "untruth: invents addresses; ignored 2"),
        ("office (10.0.0.1:53) said b.example.", "private-1 (private-1:53) said name-1.invalid."),
    ])
    func `running text has no address, host name, path or noted value`(
        text: String,
        shown: String
    ) {
        let redaction = redaction([target("office", "10.0.0.1:53")], names: ["b.example"])
        #expect(redaction.text(text) == shown)
    }

    @Test(arguments: [
        ("20261121T033512Z-0badcafe", "20261121T033512Z-0badcafe"), ("", ""),
        ("annes-laptop-1", "run"), ("20261121T033512Z-0badcafg", "run"),
    ])
    func `only identifiers of this program are kept`(id: String, shown: String) {
        #expect(redaction().run(id) == shown)
    }

    @Test func `the texts of a private server are removed from samples`() throws {
        var observation = Observation(outcome: .failed)
        observation.extras = Observation.Extras(
            site: "nas",
            detail: Detail("10.0.0.7 at home"),
            cause: FailureCause(.httpStatus, "503 Welcome to Ann's router"),
            flags: .tampering
        )
        let recording = Recording(
            runs: [Run(id: "annes-laptop", vantage: "home", timeout: .seconds(5))],
            rounds: [Round(number: 1)],
            targets: [target("office", "10.0.0.1:53"), target("quad9", "9.9.9.9:53")],
            questions: [Question(name: try DomainName("b.example"), type: .a)],
            samples: [0, 1].map {
                Sample(
                    round: 0,
                    target: $0,
                    question: 0,
                    scheduled: Timestamp(nanoseconds: 0),
                    observation: observation
                )
            }
        )
        var redaction = Redaction(publicLabels: ["quad9"])
        redaction.note(recording)
        let shown = redaction.applied(to: recording)
        let extras = shown.samples.compactMap(\.observation.extras)
        #expect(extras.map(\.site) == [nil, "nas"])
        #expect(extras.map(\.cause?.value) == ["503", "503 Welcome to Ann's router"])
        #expect(extras.map(\.detail?.description) == ["address at vantage", "address at vantage"])
        #expect(extras.allSatisfy { $0.flags == .tampering })
        #expect(shown.runs[0].id == "run-1")
        #expect(shown.questions[0].name.description == "name-1.invalid")
        var again = Redaction(publicLabels: ["quad9"])
        again.note(shown)
        #expect(again.applied(to: shown).targets == shown.targets)
    }
}
