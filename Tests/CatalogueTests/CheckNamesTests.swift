import Failures
import Testing

@testable import Catalogue

struct CheckNamesTests {
    private func read(_ text: String) throws -> CheckNames {
        var names = try CheckNames.bundled()
        try names.read(NamedText(name: "own.toml", text: text))
        return names
    }

    @Test func `the bundled names are enough for every check`() throws {
        let names = try CheckNames.bundled()
        #expect(names.nonexistent.count >= 2)
        #expect(names.validation.count == 3)
        #expect(!names.rebinding.isEmpty && !names.filtering.isEmpty && !names.whoami.isEmpty)
        #expect(names.signed?.name.text == ".")
        #expect(names.large?.type == "DNSKEY")
        // RFC 5737: TEST-NET-1, TEST-NET-2 and TEST-NET-3.
        let testNets = try ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"].map {
            try Network(parsing: $0)
        }
        #expect(!names.nobody.isEmpty)
        for place in names.nobody {
            #expect(testNets.contains { $0.contains(place.address) })
            #expect(place.port == 53)
        }
    }

    @Test func `a file replaces the names that it has and keeps the others`() throws {
        let names = try read(
            """
            nonexistent = "home.arpa"
            [[filtering]]
            name = "blocked.test"
            """
        )
        #expect(names.nonexistent.map(\.text) == ["home.arpa"])
        #expect(names.filtering.map(\.name.text) == ["blocked.test"])
        #expect(names.validation.map(\.good) == (try CheckNames.bundled().validation.map(\.good)))
        #expect(names.validation.map(\.bad) == (try CheckNames.bundled().validation.map(\.bad)))
    }

    @Test func `checks of simulated resolvers use names of the lab`() throws {
        #expect(try CheckNames.lab().nonexistent.allSatisfy { $0.text.hasSuffix("invalid") })
    }

    @Test(arguments: [
        ("whomi = []", "own.toml:1: unknown key 'whomi'; did you mean 'whoami'?"),
        (
            "\nsigned = \"example.com\"",
            "own.toml:2: 'signed' has to be a name and a type such as \". SOA\", not 'example.com'"
        ),
        ("nobody = [\"nowhere\"]", "own.toml:1: 'nowhere' is a host name"),
        ("[[validation]]\ngood = \"a.test\"", "own.toml:1: 'bad' is missing in [[validation]]"),
        (
            "[[rebinding]]\nprivte = \"a\"",
            "own.toml:2: unknown key 'privte' in [[rebinding]]; did you mean 'private'?"
        ),
        ("whoami = 3", "own.toml:1: 'whoami' has to be text in quotes or an array of it, not '3'"),
    ])
    func `an error in a value has its line`(text: String, message: String) throws {
        let error = #expect(throws: CatalogueError.self) { try read(text) }
        #expect(error?.status == .configuration)
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test func `an error about a name has its file and line`() throws {
        let names = try read("\n\nwhoami = [\"a b\"]")
        #expect(names.whoami.first?.fault("is odd").description == "own.toml:3: is odd")
    }
}
