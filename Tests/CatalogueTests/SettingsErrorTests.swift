import Failures
import Testing

@testable import Catalogue

struct SettingsErrorTests {
    private static func campaign(_ text: String) throws -> Campaign {
        try Campaign(parsing: NamedText(name: "c.toml", text: text))
    }

    private static let keys =
        "resolver, expect, domains, literal-names, types,"
        + " rounds, max-rounds, until-sure, keep-all, duration, interval,"
        + " timeout, margin, objective, rate, total-rate, warmup, seed, sampling, transport, bootstrap,"
        + " connections,"
        + " http-method, tls-version, series, names, zone, dnssec, nsid, ecs, 0x20, no-recurse, class, bufsize,"
        + " padding, floor, wire, cookie, edns-option, source, dscp, baseline, vantage, allow-net, store, no-store"

    @Test(arguments: [
        (
            "rounds = 3\nintervall = \"30s\"",
            "c.toml:2: unknown key 'intervall'; did you mean 'interval'?"
        ),
        ("total_rate = 3", "c.toml:1: unknown key 'total_rate'; did you mean 'total-rate'?"),
        ("colour = true", "c.toml:1: unknown key 'colour'; known are \(keys)"),
        (
            "\n[resolvers]\nname = \"a\"",
            "c.toml:2: unknown key 'resolvers'; did you mean 'resolver'?"
        ),
        ("zebra = 1\nround = 2", "c.toml:1: unknown key 'zebra'; known are \(keys)"),
        (
            "[[resolver]]\nname = \"a\"\naddress = \"::1\"\n\n[[resolver]]\n"
                + "name = \"b\"\nadress = \"::1\"",
            "c.toml:7: unknown key 'adress' in [[resolver]]; did you mean 'address'?"
        ),
        (
            "# one\n[[resolver]]\nname = \"a\"\naddress = \"::1\"\n"
                + "[[resolver]] # two\nname = \"b\"",
            "c.toml:5: 'address' is missing in [[resolver]]"
        ),
        (
            "[[resolver]]\naddress = \"::1\"\nport = 53",
            "c.toml:3: unknown key 'port' in [[resolver]]; known are name, address"
        ),
        ("[[resolver]]\naddress = \"::1\"", "c.toml:1: 'name' is missing in [[resolver]]"),
        (
            "rounds = 2\nresolver = [\n  {name = \"a\"},\n]",
            "c.toml:3: 'address' is missing in [[resolver]]"
        ),
        (
            "[[resolver]]\nname = \"a b\"\naddress = \"::1\"",
            "c.toml:2: 'a b' cannot be a name: use letters, digits, '.', '_' and '-', at most 63,"
                + " beginning with a letter or digit"
        ),
        (
            "[[resolver]]\nname=\"a\"\naddress=\"::1\"\n[[resolver]]\nname=\"a\"\naddress=\"::1\"",
            "c.toml:5: there are two resolvers named 'a'; rename one"
        ),
        ("resolver = 3", "c.toml:1: 'resolver' has to be [[resolver]] tables, not '3'"),
        (
            "rounds = \"many\"",
            "c.toml:1: 'rounds' has to be a whole number from 1 to 1000000, not '\"many\"'"
        ),
        ("rounds = 0", "c.toml:1: 'rounds' has to be a whole number from 1 to 1000000, not '0'"),
        (
            "rounds = 2.5",
            "c.toml:1: 'rounds' has to be a whole number from 1 to 1000000, not '2.5'"
        ),
        ("seed = -1", "c.toml:1: 'seed' has to be a whole number, not '-1'"),
        ("until-sure = 1", "c.toml:1: 'until-sure' has to be true or false, not '1'"),
        (
            "\ninterval = 30",
            "c.toml:2: 'interval' has to be a duration in quotes such as \"30s\", not '30'"
        ),
        (
            "interval = \"30\"",
            "c.toml:1: 'interval': '30' has no unit; write one number and a"
                + " unit: 250ms, 30s, 5m, 2h or 7d"
        ),
        ("timeout = \"0s\"", "c.toml:1: 'timeout' has to be longer than zero"),
        ("rate = 0", "c.toml:1: 'rate' has to be a number from 0.001 to 1000000, not '0'"),
        ("rate = -1", "c.toml:1: 'rate' has to be a number from 0.001 to 1000000, not '-1'"),
        ("rate = nan", "c.toml:1: 'rate' has to be a number from 0.001 to 1000000, not 'nan'"),
        ("types = [1]", "c.toml:1: 'types' has to be text in quotes or an array of it, not this"),
        ("types = []", "c.toml:1: 'types' is empty or has an empty entry; leave it out or fill it"),
        ("baseline = []", "c.toml:1: 'baseline' has to be text in quotes, not this"),
        (
            "transport = \"pigeon\"",
            "c.toml:1: unknown transport 'pigeon'; "
                + "write \(TransportKind.carried), several as udp,tls, or all"
        ),
        (
            "connections = \"slow\"",
            "c.toml:1: unknown choice of connections 'slow'; write fresh, reuse or resume"
        ),
        (
            "series = \"warm\"",
            "c.toml:1: 'series': unknown word 'warm'; write cached, uncached, as-found"
        ),
        (
            "allow-net = \"10.0.0.0/40\"",
            "c.toml:1: '10.0.0.0/40' has no usable prefix length;"
                + " write a number from 0 to 32 after the slash"
        ),
    ])
    func `an error in a campaign has its line`(text: String, line: String) {
        #expect(throws: CatalogueError(.configuration, line)) { try Self.campaign(text) }
    }

    @Test(arguments: [
        ("rounds = \nseed = 1", 1), ("rounds = 1\nrounds = 2", 2), ("rounds = 3\n[[resolver", 2),
        ("a = \"\u{1}\"", 1), ("[\n", 1), ("a = 1\n[[ .b]]", 2),
        ("a = \"\"\"\nb\"\"\"\n[", 3), ("# é\na = \"é\"\nˊ = 1", 3), ("\u{FEFF}\nb", 2),
    ])
    func `text that is not TOML is rejected with its line`(text: String, line: Int) throws {
        let error = try #require(throws: CatalogueError.self) { try Self.campaign(text) }
        #expect(error.status == .configuration)
        #expect(error.description.hasPrefix("c.toml:\(line): not valid TOML: "))
        #expect(!error.description.contains("\n"))
    }

    @Test(arguments: [("a = [", "["), ("", "a = {"), ("", "a."), ("[", "a."), ("", "# comment\n")])
    func `TOML that is too deep or too long is not parsed`(start: String, part: String) throws {
        let text = start + String(repeating: part, count: 1 << 20)
        let error = try #require(throws: CatalogueError.self) { try Self.campaign(text) }
        #expect(error.status == .configuration)
        #expect(error.description.hasPrefix("c.toml:1: not valid TOML: "))
    }

    @Test func `brackets, dots and signs in strings and comments are ignored`() throws {
        let many = String(repeating: "[{.", count: 100)
        let text = #"""
            # \#(many)
            baseline = "\#(many)\"\#(many)" # "
            vantage = """
            \#(many)\
            ""\#(many)""""
            store = '\#(many)\'
            types = ["A", '''
            \#(many)''']
            domains = [\#(String(repeating: "\"a.example\", ", count: 1000))]
            [[resolver]]
            name = "a"
            address = "::1"
            """#
        let campaign = try Self.campaign(text)
        #expect(campaign.options[.domains] == .names([String](repeating: "a.example", count: 1000)))
        #expect(campaign.resolvers.map(\.notation) == ["a=::1"])
    }

    @Test func `the error names the first of many unknown keys`() {
        let keys = (1...100_000).map { "key-\($0) = 1\n" }.joined()
        let error = #expect(throws: CatalogueError.self) { try Self.campaign("seed = 1\n" + keys) }
        #expect(error?.description.hasPrefix("c.toml:2: unknown key 'key-1'; known are") == true)
    }

    @Test func `each of thousands of tables has its line`() throws {
        let tables = (1...5_000).map { "[[expect]]\nname = \"n\($0).example\"\ncount = 1\n" }
        let campaign = try Self.campaign(tables.joined())
        #expect(campaign.expectations.map(\.line) == (0..<5_000).map { 2 + 3 * $0 })
    }

    @Test(arguments: [
        ("googel", "c.toml:5: unknown resolver 'googel'; did you mean 'google'?"),
        (
            "dns.example:53",
            "c.toml:5: 'dns.example' is a host name, and no name is looked up here;"
                + " write its address"
        ),
    ])
    func `an error in a resolver has its line`(address: String, line: String) throws {
        let text = "rounds = 2\n\n[[resolver]]\nname = \"a\"\naddress = \"\(address)\""
        let (campaign, system) = (try Self.campaign(text), try Fixture.system("plain"))
        #expect(throws: CatalogueError(.configuration, line)) {
            try ResolverCatalogue.bundled().resolvers(of: campaign, system: system)
        }
    }

    @Test(arguments: [
        (
            "no-such.toml",
            "no campaign: 'no-such.toml' does not exist; check the path;"
                + " bundled: 2009-is-8888-faster"
        ),
        (
            "2009-is-888-faster",
            "no campaign: '2009-is-888-faster' does not exist; check the path;"
                + " did you mean '2009-is-8888-faster'?"
        ),
        (
            "/",
            "no campaign: '/' is a folder, not a file; check the path; bundled: 2009-is-8888-faster"
        ),
        ("", "no campaign: '' does not exist; check the path; bundled: 2009-is-8888-faster"),
    ])
    func `a missing campaign is reported as a missing input`(path: String, line: String) {
        #expect(throws: CatalogueError(.noInput, line)) { try Campaign(path) }
    }

    @Test(arguments: [
        ("seed = 1", "p.toml:1: the profile has no [[resolver]]; describe at least one"),
        (
            "baseline = \"medow\"\n[[resolver]]\nname = \"meadow\"",
            "p.toml:1: 'baseline' is 'medow', which no [[resolver]] has; did you mean 'meadow'?"
        ),
        (
            "[[resolver]]\nname = \"a\"\njiter = \"1ms\"",
            "p.toml:3: unknown key 'jiter' in [[resolver]]; did you mean 'jitter'?"
        ),
        (
            "[[resolver]]\nname = \"a\"\nloss = 3",
            "p.toml:3: 'loss' has to be a number from 0 to 1, not '3'"
        ),
        ("[[resolver]]\nname = \"a\"\nbase = \"2h\"", "p.toml:3: 'base' has to be an hour at most"),
        (
            "[[resolver]]\nname = \"a\"\nmiss = 0.5",
            "p.toml:3: a cache miss needs 'miss-delay', such as miss-delay = [\"60ms\", \"180ms\"]"
        ),
        (
            "[[resolver]]\nname = \"a\"\nlate = 0.5",
            "p.toml:3: 'late' needs 'late-delay', such as late-delay = \"300ms\""
        ),
        (
            "[[resolver]]\nname = \"a\"\nmiss-delay = [\"2s\", \"1s\"]",
            "p.toml:3: 'miss-delay' has to be one duration or two, the shorter first,"
                + " such as [\"60ms\", \"180ms\"]"
        ),
        (
            "[[resolver]]\nname = \"a\"\nmiss-delay = [\"2\", \"1s\"]",
            "p.toml:3: 'miss-delay': '2' has no unit; write one number and"
                + " a unit: 250ms, 30s, 5m, 2h or 7d"
        ),
    ])
    func `an error in a lab profile has its line`(text: String, line: String) {
        #expect(throws: CatalogueError(.configuration, line)) {
            try LabProfile(parsing: NamedText(name: "p.toml", text: text))
        }
    }

    @Test func `a missing lab profile is reported as a missing input`() {
        let line =
            "no lab profile: 'hostil' does not exist; check the path; did you mean 'hostile'?"
        #expect(throws: CatalogueError(.noInput, line)) { try LabProfile("hostil") }
    }

    @Test(arguments: [
        (
            "[[resolver]]\nname = \"system\"\naddress = \"::1\"",
            "config.toml:2: 'system' always means this machine's own; choose another name"
        ),
        (
            "[[resolver]]\nname = \"a\"\naddress = [\"::1\", \"x.example\"]",
            "config.toml:3: 'x.example' is a host name, and no name is"
                + " looked up here; give an address"
        ),
        (
            "[[resolver]]\nname = \"a\"\naddress = []",
            "config.toml:3: 'address' is missing in [[resolver]]"
        ),
    ])
    func `an error in the settings has its line`(text: String, line: String) {
        #expect(throws: CatalogueError(.configuration, line)) {
            try UserConfiguration(parsing: NamedText(name: "config.toml", text: text))
        }
    }

    @Test(arguments: [
        (
            "[[resolver]]\nname = \"a\"\ntitle = \"A\"\nsource = \"us\"\nv4 = [\"::1\"]",
            "r.toml:5: '::1' is not an IPv4 address"
        ),
        (
            "[[resolver]]\nname = \"a\"\ntitle = \"A\"\nsource = \"us\"\nstatus = \"gone\"",
            "r.toml:5: 'status' has to be active, unverified or dead, not 'gone'"
        ),
        (
            "[[resolver]]\nname = \"a\"\ntitle = \"A\"\nsource = \"us\"\nstatus = \"dead\"",
            "r.toml:1: 'reason' is missing in [[resolver]]"
        ),
    ])
    func `an error in the catalogue has its line`(text: String, line: String) {
        #expect(throws: CatalogueError(.configuration, line)) {
            try ResolverCatalogue(parsing: NamedText(name: "r.toml", text: text))
        }
    }
}
