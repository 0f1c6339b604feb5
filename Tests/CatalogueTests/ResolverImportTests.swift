import Failures
import Foundation
import Testing

@testable import Catalogue

@Suite struct ResolverImportTests {
    private static let list = """
        # public-resolvers

        sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ

        --

        ## a-and-a

        Andrews & Arnold "non-filtering" resolver.
        No logging.\u{1b}[31m

        sdns://AgcAAAAAAAAADTIxNy4xNjkuMjAuMjIADWRucy5hYS5uZXQudWsKL2Rucy1xdWVyeQ
        sdns://AgcAAAAAAAAADTIxNy4xNjkuMjAuMjMADWRucy5hYS5uZXQudWsKL2Rucy1xdWVyeQ

        ## plain

        sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ

        ## hagezi-tls

        sdns://AwMAAAAAAAAADjE4OC4zNC4xNjEuMjEwAA9yb290LmhhZ2V6aS5vcmc

        ## hagezi-quic

        sdns://BAMAAAAAAAAADjE4OC4zNC4xNjEuMjEwAA9yb290LmhhZ2V6aS5vcmc

        ## by-address

        sdns://AgcAAAAAAAAABzEuMC4wLjEABzEuMC4wLjEKL2Rucy1xdWVyeQ

        ## by-address-6

        sdns://AgcAAAAAAAAAFlsyNjA2OjQ3MDA6NDcwMDo6MTExMV0AGlsyNjA2OjQ3MDA6NDcwMDo6MTExMV06NDQzCi9kbnMtcXVlcnk

        ## to-be-looked-up

        sdns://AgMAAAAAAAAAAAAVZG9oLmNsZWFuYnJvd3Npbmcub3JnEi9kb2gvYWR1bHQtZmlsdGVyLw

        ## crypt

        sdns://AQcAAAAAAAAADTUyLjY1LjIzNS4xMjkg5Q00RDDBkwx3fUaa0_etjz4iH3lLBOqsg95bYDmV07MdMi5kbnNjcnlwdC1jZXJ0LmRlZmZlci1kbnMuYXU

        ## relay

        sdns://gQ8xOTIuMC4yLjE6NDQz

        ## target

        sdns://BQcAAAAAAAAADW9kb2guZXhhbXBsZQovZG5zLXF1ZXJ5

        ## other-port

        \(stamp(0x02, "192.0.2.1:8443", "doh.example:8443", path: "/q").text)

        ## hidden

        \(stamp(0x02, "", "\(String(repeating: "a", count: 56)).onion", path: "/dns-query").text)

        ## inside

        \(stamp(0x03, "192.0.2.1", "dns.Internal").text)

        ## broken

        sdns://AgcAAAAAAAAADTI

        ## without-stamp

        ## mine

        sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ

        ## google

        sdns://AAEAAAAAAAAABzguOC44Ljg

        ## gateway

        sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ

        ## path

        \(stamp(0x02, "192.0.2.1", "doh.example", path: "/\"q\\").text)

        ## 360

        sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ

        ## no name

        sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ
        """

    private static let own = """
        rounds = 3 # as ever

        [[resolver]]
        name = "mine"
        address = "192.0.2.1"
        """

    private static func imported(
        _ list: String = list,
        into text: String = own,
        label: String = "public-resolvers.md",
        time: String? = "2026-09-22T12:01:51Z",
        allowsOlder: Bool = false
    ) throws(CatalogueError) -> ResolverImport {
        try ResolverImport(
            of: PublicResolverList(parsing: Array(list.utf8), name: "list.md"),
            from: .init(label: label, time: time),
            allowsOlder: allowsOlder,
            into: NamedText(name: "config.toml", text: text),
            beside: .bundled()
        )
    }

    private static func resolvers(_ text: String) throws -> [CatalogueEntry] {
        try UserConfiguration(parsing: NamedText(name: "config.toml", text: text)).resolvers
    }

    @Test func `stamps of all kinds become resolvers, or are counted`() throws {
        let result = try Self.imported()
        #expect(result.isChanged && result.text.hasPrefix(Self.own + "\n\n"))
        let entries = try Self.resolvers(result.text).dropFirst()
        #expect(
            entries.map(\.name) == [
                "plain", "hagezi-tls", "hagezi-quic", "by-address", "by-address-6",
                "to-be-looked-up",
            ]
        )
        #expect(result.imported == entries.count)
        #expect(
            result.skipped == [
                .dnscrypt: 1, .relayed: 2, .tor: 1, .specialUse: 1, .port: 1, .own: 1, .known: 2,
                .unusable: 6,
            ]
        )
    }

    @Test func `unusable stamps next to a usable stamp are ignored`() throws {
        let list = """
            ## both

            \(stamp(0x02, "", "dns.onion", path: "/dns-query").text)
            \(stamp(0x02, "192.0.2.1", "doh.example", path: "/dns-query").text)
            """
        let result = try Self.imported(list)
        let entry = try #require(try Self.resolvers(result.text).last)
        #expect(entry.name == "both")
        #expect(entry.encrypted.https == "https://doh.example/dns-query")
        #expect(result.skipped.isEmpty && !result.text.contains(".onion"))
    }

    @Test func `an entry has the facts of its stamps and of the list`() throws {
        let catalogue = ResolverCatalogue(entries: [])
        let result = try ResolverImport(
            of: PublicResolverList(parsing: Array(Self.list.utf8), name: "list.md"),
            from: .init(label: "x.md", time: "2026-09-22T12:01:51Z"),
            into: NamedText(name: "config.toml", text: ""),
            beside: catalogue
        )
        let entry = try #require(try Self.resolvers(result.text).first)
        #expect(entry.name == "a-and-a")
        #expect(entry.bootstrap.map(\.description) == ["217.169.20.22", "217.169.20.23"])
        #expect(entry.encrypted.https == "https://dns.aa.net.uk/dns-query")
        #expect(entry.isEncryptedOnly && entry.endpoints.isEmpty)
        #expect(
            [entry.dnssec, entry.logging, entry.filtering, entry.ecs] == [
                "yes", "no", "none", "unknown",
            ]
        )
        #expect(entry.note == "Andrews & Arnold \"non-filtering\" resolver. No logging. [31m")
        #expect(entry.confirmed?.description == "2026-09-22")
    }

    @Test(arguments: [
        ("by-address", "https://1.0.0.1#1.0.0.1"),
        ("by-address-6", "https://[2606:4700:4700::1111]#2606:4700:4700::1111"),
        ("hagezi-tls", "tls://188.34.161.210#root.hagezi.org"),
        ("plain", "127.0.0.1:53"),
    ])
    func `imported resolvers can be queried`(name: String, place: String) throws {
        let catalogue = try ResolverCatalogue.bundled()
            .adding(Self.resolvers(try Self.imported().text))
        let resolver = try #require(
            try catalogue.resolvers(named: [name], system: Fixture.system("plain")).first
        )
        let endpoint = resolver.endpoint
        #expect(
            place
                == (endpoint.transport == .udp
                    ? resolver.place
                    : endpoint.shortText + "#" + (resolver.serverName ?? ""))
        )
    }

    @Test func `a second import changes nothing`() throws {
        let once = try Self.imported()
        let again = try Self.imported(into: once.text)
        #expect(!again.isChanged && again.text == once.text)
        #expect(again.imported == once.imported && again.skipped == once.skipped)
    }

    @Test func `a newer list replaces only the imported part`() throws {
        let once = try Self.imported()
        let more = once.text + "\n[[resolver]]\nname = \"later\"\naddress = \"192.0.2.2\"\n"
        let newer = "## fresh\n\nsdns://AAEAAAAAAAAACTEyNy4wLjAuMQ\n"
        let result = try Self.imported(newer, into: more)
        #expect(try Self.resolvers(result.text).map(\.name) == ["mine", "fresh", "later"])
        #expect(result.text.hasPrefix(Self.own) && result.text.hasSuffix("\"192.0.2.2\"\n"))
        let other = try Self.imported(newer, into: result.text, label: "other.md")
        #expect(other.skipped == [.own: 1] && !other.isChanged)
    }

    private static let fresh = "## fresh\n\nsdns://AAEAAAAAAAAACTEyNy4wLjAuMQ\n"

    @Test(arguments: ["2026-09-22T12:01:50Z", "2020-01-01T00:00:00Z", nil])
    func `a list that is older than the imported list is rejected`(time: String?) throws {
        let once = try Self.imported()
        let error = #expect(throws: CatalogueError.self) {
            try Self.imported(Self.fresh, into: once.text, time: time)
        }
        #expect(error?.status == .badData)
        let text = try #require(error?.description)
        #expect(text.contains("2026-09-22T12:01:51Z") && text.contains("--allow-older"))
        #expect(text.contains(time ?? "has no time"))
        let allowed = try Self.imported(Self.fresh, into: once.text, time: time, allowsOlder: true)
        #expect(try Self.resolvers(allowed.text).map(\.name) == ["mine", "fresh"])
        #expect(try !Self.imported(into: allowed.text).text.contains("\"fresh\""))
    }

    @Test(arguments: ["2026-09-22T12:01:51Z", "2026-09-22T12:01:52Z", "2031-01-01T00:00:00Z"])
    func `a list of the same second or later is accepted`(time: String) throws {
        let result = try Self.imported(Self.fresh, into: Self.imported().text, time: time)
        #expect(try Self.resolvers(result.text).map(\.name) == ["mine", "fresh"])
    }

    @Test(arguments: [nil, "# Signed at will", "# Signed at 2026-13-01T00:00:00Z"])
    func `an imported part without a time has the day of its resolvers`(line: String?) throws {
        let present = "# Signed at 2026-09-22T12:01:51Z\n"
        let once = try Self.imported().text
        #expect(once.contains(present))
        let former = once.replacingOccurrences(of: present, with: line.map { $0 + "\n" } ?? "")
        #expect(throws: CatalogueError.self) {
            try Self.imported(Self.fresh, into: former, time: "2026-09-21T23:59:59Z")
        }
        let same = try Self.imported(into: former, time: "2026-09-22T00:00:00Z")
        #expect(same.text.contains("# Signed at 2026-09-22T00:00:00Z\n"))
    }

    @Test func `a list without a time is accepted if the imported list has no time`() throws {
        let once = try Self.imported(time: nil)
        #expect(once.text.hasPrefix(Self.own + "\n\n") && !once.text.contains("# Signed at"))
        #expect(try !Self.imported(into: once.text, time: nil).isChanged)
        let other = try Self.imported(Self.fresh, into: once.text, label: "x.md", time: nil)
        #expect(try Self.resolvers(other.text).contains { $0.name == "fresh" })
    }

    @Test func `Windows line endings are kept`() throws {
        let own =
            Self.own.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\r\n") + "\r\n"
        let once = try Self.imported(into: own)
        #expect(once.text.utf8.starts(with: own.utf8))
        #expect(try !Self.imported(into: once.text).isChanged)
    }

    @Test(arguments: [
        ("resolver = [{ name = \"mine\", address = \"192.0.2.1\" }]", "not valid TOML"),
        ("round = 3", "unknown key"),
        (
            "# End of what was imported from public-resolvers.md",
            "config.toml:1: the part imported from public-resolvers.md must have one beginning"
        ),
    ])
    func `a configuration that cannot hold the list is rejected`(text: String, reason: String) {
        let error = #expect(throws: CatalogueError.self) { try Self.imported(into: text) }
        #expect(error?.status == .configuration)
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func `an unreadable configuration is a configuration error`() throws {
        let list = try PublicResolverList(parsing: Array(Self.list.utf8), name: "list.md")
        let latin = Fixture.path("odd/resolv.conf")
        for (path, fault) in [("/", "is a folder"), (latin, "is not a text file in UTF-8")] {
            let error = #expect(throws: CatalogueError.self) {
                try ResolverImport(
                    of: list,
                    from: .init(label: "x.md", time: nil),
                    allowsOlder: false,
                    into: path
                )
            }
            #expect(error?.status == .configuration)
            #expect(error?.description.contains(fault) == true, "\(String(describing: error))")
        }
    }

    @Test(arguments: ["", "# public-resolvers\n", "no list"])
    func `a file that is not a list is rejected`(text: String) {
        let error = #expect(throws: CatalogueError.self) { try Self.imported(text) }
        #expect(error?.status == .badData)
    }

    @Test func `descriptions and names are bounded`() throws {
        let long = String(repeating: "word ", count: 100_000)
        let stamp = "sdns://AAEAAAAAAAAACTEyNy4wLjAuMQ"
        let name = String(repeating: "n", count: 64)
        let result = try Self.imported("## \(name)\n\(stamp)\n## x\n\(long)\n\(long)\n\(stamp)\n")
        #expect(result.skipped == [.unusable: 1])
        let note = try #require(try Self.resolvers(result.text).last?.note)
        #expect(note.count <= 200 && note.hasSuffix("…"))
    }

    @Test func `a list with too many resolvers is rejected`() {
        let list = String(repeating: "## x\n", count: 10_001)
        let error = #expect(throws: CatalogueError.self) { try Self.imported(list) }
        #expect(error?.description.contains("more than 10000 resolvers") == true)
    }
}
