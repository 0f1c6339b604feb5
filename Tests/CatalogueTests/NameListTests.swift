import Failures
import Foundation
import Testing

@testable import Catalogue

struct NameListTests {
    @Test func `comments and repetitions are skipped, and line numbers are kept`() throws {
        let text = "# names\r\nexample.org # first\r\n\r\n  example.net\t\nEXAMPLE.org\n"
        let list = try NameList(parsing: NamedText(name: "n.txt", text: text))
        #expect(list.entries.map(\.name) == ["example.org", "example.net"])
        #expect(list.entries.map(\.line) == [2, 4])
    }

    @Test(arguments: [
        (
            "a.example b.example",
            "n.txt:1: 'a.example b.example' is more than one name; write one per line"
        ),
        ("# nothing\n", "'n.txt' has no names; write one per line"),
    ])
    func `a list without usable names is rejected`(text: String, line: String) {
        #expect(throws: CatalogueError(.badData, line)) {
            try NameList(parsing: NamedText(name: "n.txt", text: text))
        }
    }

    /// Two names in the file formats of other programs.
    @Test(arguments: [
        "1,one.example\n2,two.example\n", "rank,domain\n1,one.example\n2,two.example\n",
        "#,Site\n1,one.example\n2,two.example\n", "domain\none.example\ntwo.example\n",
        "GlobalRank,Domain,TLD,IDN\n1,one.example,example,one.example\n"
            + "2,two.example,example,xn--two.example\n",
        "\"one.example\"\n\"two.example\"\n", "\"1\",\"one.example\"\n\"2\",\"two.example\"\n",
        "one.example;1\ntwo.example;2\n", "one.example,\ntwo.example,\n",
        "one.example\t1,5\ntwo.example\t0,5\n", "; dnsperf\none.example\n;\ntwo.example\n",
        "one.example;2026-05-01;0,5\ntwo.example;2026-05-02;0,25\n",
        "1,One.example\n2,one.EXAMPLE\n3,two.example\n",
    ])
    func `names are read from tables`(text: String) throws {
        let list = try NameList(parsing: NamedText(name: "n.csv", text: text))
        #expect(list.entries.map { $0.name.lowercased() } == ["one.example", "two.example"])
        #expect(list.entries.allSatisfy { $0.type == nil })
    }

    @Test(arguments: [
        "one.example A\none.example AAAA\ntwo.example\n",
        "one.example\ta\none.example\tTYPE28\ntwo.example\n",
        "A one.example\nAAAA one.example\ntwo.example\n",
        "one.example A # first\n; a comment\nONE.example AAAA\none.example A\ntwo.example\n",
    ])
    func `a record type next to a name is read`(text: String) throws {
        let list = try NameList(parsing: NamedText(name: "n.txt", text: text))
        let names = ["one.example", "one.example", "two.example"]
        #expect(list.entries.map { $0.name.lowercased() } == names)
        #expect(list.entries[0].type == "A" && list.entries[2].type == nil)
        #expect(["AAAA", "TYPE28"].contains(list.entries[1].type))
    }

    @Test(arguments: [
        ("[\"one.example\",\n\"two.example\"]\n", "looks like JSON"), ("{\n", "looks like JSON"),
        ("||one.example^\n", "looks like a filter rule of an ad blocker"),
        ("! Title\n", "looks like a filter rule of an ad blocker"),
        ("[Adblock Plus 2.0]\n", "looks like a filter rule of an ad blocker"),
        ("one.example##.banner\n", "looks like a filter rule of an ad blocker"),
        ("server=/one.example/127.0.0.1\n", "looks like a line of dnsmasq's configuration"),
        ("0.0.0.0 one.example\n", "looks like a line of a hosts file"),
        ("::1 localhost ip6-localhost\n", "looks like a line of a hosts file"),
        ("<html>\n", "looks like a page of HTML"),
        ("one.example,two.example\n", "is a row of a table with several names"),
        ("1,2\n", "is a row of a table without a name"),
        ("1,https://one.example/\n", "is a row of a table without a name"),
        ("one.example:443\n", "has ':', which a host name cannot contain"),
        ("one.example/24\n", "has '/', which a host name cannot contain"),
        ("o'ne.example\n", "has ''', which a host name cannot contain"),
        ("a|b.example\n", "has '|', which a host name cannot contain"),
    ])
    func `other formats are rejected with the line and the reason`(text: String, reason: String) {
        let line = text.split(separator: "\n")[0]
        for (before, number) in [("", 1), ("# a comment\n\n", 3)] {
            let error = #expect(throws: CatalogueError.self) {
                try NameList(parsing: NamedText(name: "n.txt", text: before + text))
            }
            #expect(error?.status == .badData)
            #expect(error?.description.hasPrefix("n.txt:\(number): '\(line)' \(reason)") == true)
        }
    }

    @Test func `a row without a name in the name column is rejected`() {
        let line = "n.csv:2: '2,' has no name in column 2: write one name per line"
        #expect(throws: CatalogueError(.badData, line)) {
            try NameList(parsing: NamedText(name: "n.csv", text: "1,one.example\n2,\n"))
        }
    }

    @Test func `a list can have names of any characters if the option allows it`() throws {
        let text = "1,one.example\n\"two\"\na|b/c # one\n;\n0/25.2.0.192.in-addr.arpa\n"
        let list = try NameList(parsing: NamedText(name: "n.txt", text: text), isLiteral: true)
        #expect(
            list.entries.map(\.name) == [
                "1,one.example", "\"two\"", "a|b/c", ";", "0/25.2.0.192.in-addr.arpa",
            ]
        )
        // An escape in a name is read without the option, too (RFC 1035 §5.1).
        let names = ["a\\,b.test", "q\\\"x.test"]
        let lines = NamedText(name: "n.txt", text: names.joined(separator: "\n"))
        #expect(try NameList(parsing: lines).entries.map(\.name) == names)
    }

    @Test func `a missing list is reported as a missing input`() {
        let line = "'/no/such/names.txt' does not exist; check the path"
        #expect(throws: CatalogueError(.noInput, line)) {
            try NameList(file: "/no/such/names.txt")
        }
    }

    @Test(arguments: [[0x61, 0xff], [0x61, 0x00, 0x62]] as [[UInt8]])
    func `bytes that are not text are rejected`(octets: [UInt8]) throws {
        let file = URL(filePath: NSTemporaryDirectory())
            .appending(path: "dnstempo-\(UUID().uuidString).txt")
        try Data(octets).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let path = file.path(percentEncoded: false)
        let line = "'\(path)' is not a text file in UTF-8; convert it"
        #expect(throws: CatalogueError(.badData, line)) { try NameList(file: path) }
    }
}
