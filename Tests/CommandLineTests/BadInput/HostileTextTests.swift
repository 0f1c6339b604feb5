import Servers
import Testing

/// Text from the network and from the user that would take over a terminal.
@Suite struct HostileTextTests {
    private static let nasty = "\u{1B}]0;pwned\u{7}\u{1B}[31m\u{9B}2J\u{202E}\r\n"

    /// An answer with a TXT record, an NSID (RFC 5001) and an extended error (RFC 8914) of it.
    private static func answer(to query: ReceivedQuery) -> [UInt8] {
        let text = Array(nasty.utf8)
        let length = UInt8(text.count)
        var answer = query.answer(addresses: [])
        answer[7] = 1
        answer[11] = 1
        answer += [0xc0, 12, 0, 16, 0, 1, 0, 0, 1, 44, 0, length + 1, length] + text
        let options = [0, 3, 0, length] + text + [0, 15, 0, length + 2, 0, 22] + text
        return answer + [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, UInt8(options.count)] + options
    }

    @Test func `escape sequences reach neither terminal nor files`() async throws {
        let files = ["r.txt", "r.csv", "r.json", "r.md", "r.svg"]
        try await withResponder {
            [.reply(Self.answer(to: $0))]
        } _: { responder in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let name = "\\027[31m\\007.example"
            var arguments = [
                "compare", "\(responder.endpoint)", "-d", name, "-t", "TXT", "--nsid", "-v",
                "--rounds", "2", "--rate", "50", "--vantage", Self.nasty, "--samples", "s.csv",
            ]
            for file in files { arguments += ["-o", file] }
            let run = try await Binary.run(arguments, in: folder.path)
            #expect(run.code == 0)
            for layout in [["-o", "s.jsonl"], ["--layout", "matrix", "-o", "tables"]] {
                let export = try await Binary.run(["export", "s.csv"] + layout, in: folder.path)
                #expect(export.code == 0)
            }
            #expect(folder.text("s.csv").contains("pwned"))
            let texts = (files + ["s.csv", "s.jsonl"]).map(folder.text) + [run.output, run.errors]
            for text in texts {
                #expect(!text.unicodeScalars.contains(where: Self.isHostile))
            }
        }
    }

    @Test(arguments: [
        ["compare", nasty], ["compare", "-d", nasty], ["compare", "--rounds", nasty],
        ["compare", "--\(nasty)"], ["compare", "--campaign", nasty], [nasty],
        ["export", nasty], ["export", "\(nasty).csv"], ["compare", "-o", "\(nasty)/x.csv"],
    ])
    func `an error that quotes the arguments is one harmless line`(
        arguments: [String]
    ) async throws {
        let run = try await Binary.run(arguments)
        #expect(run.code != 0)
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(!run.errors.unicodeScalars.contains(where: Self.isHostile))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
    }

    /// A control character, or one that turns the direction of writing.
    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        isControl(scalar) || scalar.properties.generalCategory == .format
    }
}
