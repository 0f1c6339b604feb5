import Servers
import Testing

struct ScriptedResponderTests {
    @Test(arguments: [[], ["+tcp"]])
    func `a script's answer is sent and the query is recorded`(transport: [String]) async throws {
        try await withResponder(script: { [.reply($0.answer(addresses: [[192, 0, 2, 9]]))] }) {
            responder in
            let run = try await Program("dig", package: "bind9-dnsutils").run(
                ["@127.0.0.1", "-p", "\(responder.endpoint.port)", "+short", "a.test"] + transport
            )
            #expect(run.output == "192.0.2.9\n")
            #expect(responder.queries.count == 1)
            let query = try #require(responder.queries.first)
            #expect(query.transport == (transport.isEmpty ? .udp : .tcp))
            #expect(query.question == [1, 97, 4, 116, 101, 115, 116, 0, 0, 1, 0, 1])
        }
    }

    @Test func `an answer in single bytes is reassembled`() async throws {
        try await withResponder(script: { [.trickle($0.answer())] }) { responder in
            let answer = try await dig(responder.endpoint, "a.test", "+tcp")
            #expect(answer == "192.0.2.1")
        }
    }

    @Test func `an answer from another port is ignored`() async throws {
        let script: ScriptedResponder.Script = {
            [.replyFrom(SocketAddress("127.0.0.1", port: 0), $0.answer(addresses: [[1, 1, 1, 1]]))]
                + [.reply($0.answer())]
        }
        try await withResponder(script: script) { responder in
            let answer = try await dig(responder.endpoint, "a.test")
            #expect(answer.hasSuffix("192.0.2.1"))
        }
    }

    @Test(arguments: [ResponderAction.close, .reset])
    func `a connection that ends mid-answer gives no answer`(ending: ResponderAction) async throws {
        try await withResponder(script: { [.raw(Array($0.answer().prefix(7))), ending] }) {
            responder in
            let run = try await Program("dig", package: "bind9-dnsutils").run(
                ["@127.0.0.1", "-p", "\(responder.endpoint.port)", "+tcp", "+tries=1", "a.test"])
            #expect(run.code != 0)
            #expect(!run.output.contains("ANSWER SECTION"))
        }
    }

    @Test func `a paused answer does not delay the next answer`() async throws {
        let script: ScriptedResponder.Script = {
            ($0.ordinal == 0 ? [.pause(.seconds(60))] : []) + [.reply($0.answer())]
        }
        try await withResponder(script: script) { responder in
            let files = TemporaryFolder()
            let slow = try Program("dig", package: "bind9-dnsutils").start(
                ["@127.0.0.1", "-p", "\(responder.endpoint.port)", "+time=60", "slow.test"],
                environment: [:],
                files: files
            )
            while responder.queries.isEmpty { await Task.yield() }
            let answer = try await dig(responder.endpoint, "quick.test")
            #expect(answer == "192.0.2.1")
            #expect(!slow.hasEnded)
            await slow.stop()
        }
    }
}
