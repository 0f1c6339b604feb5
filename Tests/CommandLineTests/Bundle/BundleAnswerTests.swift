import Foundation
import Servers
import Testing

/// Evidence of unusual and missing answers over UDP and TCP.
@Suite struct BundleAnswerTests {
    /// The server's actions by the first label of the query name. Queries with another label get a plain
    /// answer.
    private static let actions:
        [(name: String, act: @Sendable (ReceivedQuery) -> [ResponderAction])] = [
            (
                "strays",
                { query in
                    var strays = Array(repeating: query.answer(), count: 3)
                    strays[0][0] ^= 0xff
                    strays[1][13] ^= 1
                    strays[2][2] &= 0x7f
                    return (strays + [query.answer()]).map { .reply($0) }
                }
            ),
            (
                "lost",
                { query in
                    var stray = query.answer()
                    stray[1] ^= 1
                    return [.reply(stray)]
                }
            ),
            ("silent", { _ in [] }),
            (
                "garbage",
                { query in
                    [
                        .reply(
                            query.bytes.prefix(2) + [0x81, 0x80] + Array(repeating: 0xff, count: 30)
                        )
                    ]
                }
            ),
            ("short", { query in [.reply(Array(query.answer().prefix(11)))] }),
            ("cut", { query in [.reply(query.answer(truncated: query.transport == .udp))] }),
            ("truncated", { query in [.reply(query.answer(truncated: true))] }),
            (
                "refusing",
                { query in
                    query.transport == .tcp ? [.reset] : [.reply(query.answer(truncated: true))]
                }
            ),
            (
                "closing",
                { query in
                    query.transport == .tcp
                        ? [.raw([0, 40, 1]), .close] : [.reply(query.answer(truncated: true))]
                }
            ),
            (
                "twice",
                { query in query.transport == .tcp ? [] : [.reply(query.answer(truncated: true))] }
            ),
            ("none", { query in [.reply(query.answer(rcode: 3, addresses: []))] }),
            // The next answers contain an extended error (RFC 8914) and an NSID (RFC 5001).
            (
                "ede",
                { query in [.reply(query.answer(option: 15, [0, 15] + Array("blocked".utf8)))] }
            ),
            ("nsid", { query in [.reply(query.answer(option: 3, Array("a\u{1b}[31m".utf8)))] }),
            ("late", { query in [.pause(.milliseconds(320)), .reply(query.answer())] }),
            ("double", { query in [.reply(query.answer()), .reply(query.answer(rcode: 2))] }),
        ]

    private static func act(on query: ReceivedQuery) -> [ResponderAction] {
        let label = String(decoding: query.question.dropFirst().prefix { $0 > 31 }, as: UTF8.self)
        let action = actions.first { label.lowercased() == $0.name }?.act
        return action?(query) ?? [.reply(query.answer())]
    }

    @Test(arguments: [[], ["--cookie", "--nsid", "--dnssec", "--0x20"]])
    func `unusual and missing answers are recomputed unchanged`(options: [String]) async throws {
        let folder = TemporaryFolder()
        let closed = try Loopback.freePort()
        try await withResponder(script: Self.act) { responder in
            let names = Self.actions.flatMap { ["-d", "\($0.name).test"] }
            let bundle = try await KeptBundle.comparing(
                ["udp=\(responder.endpoint)", "tcp=tcp://\(responder.endpoint)"]
                    + ["closed=127.0.0.1:\(closed)", "shut=tcp://127.0.0.1:\(closed)"] + names
                    + ["-d", "plain.test", "--expect", "plain.test A 198.51.100.1"]
                    + ["--rounds", "2", "--rate", "200", "--timeout", "300ms"] + options,
                in: folder
            )
            let samples = bundle.samples
            let outcomes = samples.rows.reduce(into: [String: Set<String>]()) { outcomes, row in
                guard samples[row, "resolver"] == "udp" else { return }
                outcomes[samples[row, "name"], default: []].insert(samples[row, "outcome"])
            }
            let expected = [
                "strays": "answered", "lost": "timeout", "silent": "timeout", "cut": "answered",
                "late": "timeout", "none": "answered", "plain": "wrong", "double": "answered",
                "truncated": "malformed",
            ]
            for (name, outcome) in expected {
                // On a busy machine, any answer may arrive too late.
                #expect(
                    outcomes["\(name).test"]?.isSubset(of: [outcome, "timeout"]) == true,
                    "\(name)"
                )
            }
            #expect(
                Set(
                    samples.rows.filter { samples[$0, "resolver"] == "closed" }
                        .map { samples[$0, "outcome"] }
                ) == ["unreachable"]
            )
            try await bundle.expectSound()
        }
    }

    @Test func `edge times are taken from the samples file, not from messages`() async throws {
        let folder = TemporaryFolder()
        try await withResponder { query in
            [.reply(query.answer(addresses: [[192, 0, 2, 1], [127, 0, 0, 1]]))]
        } _: { responder in
            let port = "\(responder.endpoint.port)"
            let bundle = try await KeptBundle.comparing(
                ["r=\(responder.endpoint)", "s=\(responder.endpoint)", "-d", "a.test"]
                    + ["--rounds", "8", "--rate", "100", "--connect", "--connect-port", port],
                in: folder
            )
            #expect(bundle.samples.column("edge_ms").contains { !$0.isEmpty })
            try await bundle.expectSound()
        }
    }
}
