import Failures
import Foundation
import LibC
import Testing

@testable import Catalogue

struct SettingsTests {
    private static let everything = """
        domains = ["a.example", "b.example"]
        types = ["A", "AAAA"]
        rounds = 7
        max-rounds = 50
        until-sure = true
        duration = "1h"
        interval = "30s"
        timeout = "2s"
        margin = "1.5ms"
        rate = 2.5
        total-rate = 9
        warmup = 0
        seed = 42
        transport = "tcp,udp"
        series = ["cached", "uncached"]
        zone = "wild.example"
        dnssec = true
        nsid = false
        ecs = "192.0.2.0/24"
        0x20 = true
        no-recurse = true
        class = "CH"
        bufsize = 4096
        padding = false
        floor = false
        cookie = true
        edns-option = ["65001:00ff", "11:"]
        source = ["127.0.0.2", "eth0"]
        baseline = "home"
        vantage = "attic"
        allow-net = ["127.0.0.0/8", "::1"]
        store = "/tmp/x.sqlite"
        no-store = false

        [[resolver]]
        name = "home"
        address = "system"

        [[resolver]]
        name = "lab"
        address = "tcp://127.0.0.1:5311"
        """

    @Test func `every key of a campaign is read`() throws {
        let campaign = try Campaign(parsing: NamedText(name: "c.toml", text: Self.everything))
        var expected = RunOptions()
        expected[.domains] = .names(["a.example", "b.example"])
        expected[.types] = ["A", "AAAA"]
        expected[.rounds] = 7
        expected[.maxRounds] = 50
        expected[.untilSure] = true
        expected[.duration] = .seconds(3600)
        expected[.interval] = .seconds(30)
        expected[.timeout] = .seconds(2)
        expected[.margin] = .microseconds(1500)
        expected[.rate] = 2.5
        expected[.totalRate] = 9
        expected[.warmup] = 0
        expected[.seed] = 42
        expected[.transports] = .listed([.tcp, .udp])
        expected[.series] = ["cached", "uncached"]
        expected[.zones] = ["wild.example"]
        expected[.dnssec] = true
        expected[.nsid] = false
        expected[.ecs] = "192.0.2.0/24"
        expected[.mixedCase] = true
        expected[.noRecursion] = true
        expected[.recordClass] = "CH"
        expected[.bufferSize] = 4096
        expected[.padding] = false
        expected[.floor] = false
        expected[.cookie] = true
        expected[.ednsOptions] = ["65001:00ff", "11:"]
        expected[.sources] = [.address(try #require(IPAddress("127.0.0.2"))), .interface("eth0")]
        expected[.baseline] = "home"
        expected[.vantage] = "attic"
        expected[.allowedNetworks] = try AllowedNetworks(parsing: "127.0.0.0/8,::1")
        expected[.store] = "/tmp/x.sqlite"
        expected[.noStore] = false
        #expect(campaign.options == expected)
        let resolvers = try ResolverCatalogue.bundled()
            .resolvers(of: campaign, system: Fixture.system("plain"))
        #expect(resolvers.map(\.label) == ["home", "lab"])
        #expect(resolvers.map(\.isSystem) == [true, false])
        #expect(resolvers.map(\.endpoint.transport) == [.udp, .tcp])
    }

    @Test func `stronger options take precedence, and weaker options fill the gaps`() throws {
        let all = try Campaign(parsing: NamedText(name: "c.toml", text: Self.everything)).options
        #expect(RunOptions().over(all) == all)
        #expect(all.over(RunOptions()) == all)
        var flags = RunOptions()
        flags[.rounds] = 3
        flags[.domains] = .file("names.txt")
        let merged = flags.over(all)
        #expect(merged[.rounds] == 3)
        #expect(merged[.seed] == 42)
        #expect(merged[.domains] == .file("names.txt"))
    }

    @Test func `a maximum number of rounds replaces the length of weaker options`() {
        var (flags, usual) = (RunOptions(), RunOptions())
        flags[.maxRounds] = 20
        (usual[.rounds], usual[.duration]) = (30, .seconds(300))
        usual[.untilSure] = false
        let merged = flags.over(usual)
        #expect(merged[.maxRounds] == 20)
        #expect(merged[.rounds] == nil && merged[.duration] == nil)
        #expect(merged[.untilSure] == nil)
    }

    @Test func `stronger options narrow the allowed networks and never widen them`() throws {
        func options(_ text: String?) throws -> RunOptions {
            var options = RunOptions()
            options[.allowedNetworks] = try text.map(AllowedNetworks.init(parsing:))
            return options
        }
        let near = try #require(IPAddress("127.0.0.1"))
        let far = try #require(IPAddress("127.0.0.2"))
        let pairs = [("127.0.0.1", "0.0.0.0/0"), ("0.0.0.0/0", "127.0.0.1"), ("127.0.0.1", nil)]
        for (one, other) in pairs {
            for merged in [
                try options(one).over(options(other)), try options(other).over(options(one)),
            ] {
                let allowed = try #require(merged[.allowedNetworks])
                #expect(allowed.allows(near))
                #expect(!allowed.allows(far))
            }
        }
        #expect(try options(nil).over(options(nil))[.allowedNetworks] == nil)
    }

    @Test func `names may be in a separate file`() throws {
        let text = NamedText(name: "c.toml", text: "domains = \"names.txt\"")
        let options = try Campaign(parsing: text).options
        #expect(options[.domains] == .file("names.txt"))
    }

    @Test func `a resolver in the settings can list its transports`() throws {
        let text = """
            [[resolver]]
            name = "own"
            address = "127.0.0.1:5311"
            tls = "DNS.example"
            https = "https://doh.example/q"
            h3 = true
            """
        let settings = try UserConfiguration(parsing: NamedText(name: "config.toml", text: text))
        let own = try #require(
            try ResolverCatalogue(entries: settings.resolvers)
                .resolvers(named: ["own"], system: Fixture.system("plain")).first
        )
        #expect(try own.over(.tls).place == "127.0.0.1:5311#dns.example")
        #expect(try own.over(.https).place == "127.0.0.1:5311/q#doh.example")
        #expect(settings.resolvers.first?.transports == [.udp, .tcp, .tls, .https, .h3])
    }

    @Test(arguments: [
        ("tls = \"a b\"", "'tls': 'a b' is not a valid name in a certificate"),
        ("https = \"doh.example\"", "'https': 'doh.example' does not begin with https://"),
        (
            "https = \"https://doh.example:8443/q\"",
            "'https': 'https://doh.example:8443/q': write a name and a path; the port is that of"
                + " 'address'"
        ),
        ("h3 = \"yes\"", "'h3' has to be true or false"),
    ])
    func `an error in an encrypted service has its line`(text: String, words: String) {
        let file = "[[resolver]]\nname = \"own\"\naddress = \"127.0.0.1\"\n\(text)"
        let error = #expect(throws: CatalogueError.self) {
            try UserConfiguration(parsing: NamedText(name: "c.toml", text: file))
        }
        #expect(
            error?.description.hasPrefix("c.toml:4: \(words)") == true,
            "\(error?.description ?? "")"
        )
    }

    @Test func `settings override and extend the catalogue`() throws {
        let text = """
            timeout = "3s"
            [[resolver]]
            name = "google"
            address = "127.0.0.1:5311"
            [[resolver]]
            name = "attic"
            address = ["192.0.2.1", "tcp://[2001:db8::1]:5353"]
            """
        let settings = try UserConfiguration(parsing: NamedText(name: "config.toml", text: text))
        #expect(settings.options[.timeout] == .seconds(3))
        let resolvers = try ResolverCatalogue.bundled().adding(settings.resolvers)
            .resolvers(named: ["google", "attic/all"], system: Fixture.system("plain"))
        #expect(
            resolvers.map { "\($0.label) \($0.endpoint)" } == [
                "google 127.0.0.1:5311", "attic@192.0.2.1 192.0.2.1:53",
                "attic@tcp://[2001:db8::1]:5353 [2001:db8::1]:5353",
            ]
        )
    }

    @Test(
        arguments: [
            (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/dnstempo/config.toml"),
            (["HOME": "/h"], "/h/.config/dnstempo/config.toml"),
            (["XDG_CONFIG_HOME": "rel", "HOME": "/h"], "/h/.config/dnstempo/config.toml"),
            (["XDG_CONFIG_HOME": ""], nil),
        ] as [([String: String], String?)]
    )
    func `the settings follow the XDG specification`(environment: [String: String], path: String?) {
        #expect(UserConfiguration.path(environment: environment) == path)
    }

    @Test func `settings may be missing, but must be readable`() throws {
        #expect(try UserConfiguration(path: "/no/such/config.toml") == UserConfiguration())
        let line = "'/' is a folder, not a file; check the path"
        #expect(throws: CatalogueError(.configuration, line)) { try UserConfiguration(path: "/") }
        let pipe = "/tmp/dnstempo-pipe-\(getpid())"
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        defer { unsafe unlink(pipe) }
        #expect(throws: CatalogueError(.configuration, "'\(pipe)' is a pipe; put a file there")) {
            try UserConfiguration(path: pipe)
        }
    }

    @Test func `every field of a lab resolver is read`() throws {
        let text = """
            seed = 5
            baseline = "a"
            [[resolver]]
            name = "a"
            base = "10ms"
            jitter = "2ms"
            sigma = 1
            miss = 0.25
            miss-delay = "40ms"
            cold-cache = true
            loss = 0.01
            late = 0.02
            late-delay = "300ms"
            duplicate = 0.03
            wrong-id = 0.04
            truncate = 0.05
            servfail = 0.06
            refuse = true
            nxdomain-rewrite = true
            silent = true
            ttl = 60
            answers = 3
            strata = 1
            """
        let profile = try LabProfile(parsing: NamedText(name: "p.toml", text: text))
        var expected = Behaviour(name: "a", baseDelay: .milliseconds(10))
        (expected.jitter, expected.sigma) = (.milliseconds(2), 1)
        (expected.missProbability, expected.coldCache) = (0.25, true)
        (expected.missDelayLow, expected.missDelayHigh) = (.milliseconds(40), .milliseconds(40))
        (expected.lossProbability, expected.lateProbability) = (0.01, 0.02)
        expected.lateDelay = .milliseconds(300)
        (expected.duplicateProbability, expected.wrongIDProbability) = (0.03, 0.04)
        (expected.truncateProbability, expected.servfailProbability) = (0.05, 0.06)
        (expected.refuse, expected.nxdomainRewrite) = (true, true)
        (expected.silent, expected.ttl, expected.answers, expected.strata) = (true, 60, 3, 1)
        #expect(profile.resolvers == [expected])
        #expect(profile.seed == 5)
        #expect(profile.baseline == "a")
    }
}
