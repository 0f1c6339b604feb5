import Catalogue
import DNSWire
import Testing

@testable import Integrity

/// The judgements on replies, which the tests create without a server.
struct CheckTests {
    @Test(arguments: [
        (control: Reply.answer(Address.host), reply: Reply.answer(Address.home), Judgement.fail),
        (.answer(Address.host), .answer([127, 0, 0, 1]), .fail),
        (.answer(Address.host), .answer([172, 31, 0, 1]), .fail),
        (.answer(Address.host), .answer([0xfd] + [UInt8](repeating: 1, count: 15)), .fail),
        (.answer(Address.host), .answer([0xfe, 0x80] + [UInt8](repeating: 1, count: 14)), .fail),
        (.answer(Address.host), .noSuchName, .pass),
        (.answer(Address.host), .answer(), .pass),
        (.answer(Address.host), .answer(code: .refused), .pass),
        (.answer(Address.host), .answer([0, 0, 0, 0]), .pass),
        (.answer(Address.host), .answer([172, 32, 0, 1]), .inconclusive),
        (.answer(Address.host), .silence, .inconclusive),
        (.answer(Address.host), .failure, .inconclusive),
        (.answer(Address.host), .answer(code: .servFail, error: 15), .pass),
        (.noSuchName, .noSuchName, .inconclusive),
    ])
    func `private addresses are detected`(control: Reply, reply: Reply, judgement: Judgement) {
        let check = RebindingCheck(control: .one(control), privateName: .one(reply))
        #expect(check.finding.judgement == judgement)
    }

    @Test func `a server can identify itself in three ways`() {
        var named = Response(code: .noError)
        named.nsid = Array("ams1".utf8)
        let none = Evidence.one(.answer())
        let refused = Evidence.one(.answer(code: .refused))
        let text = Evidence.one(.answer(texts: [["site", "7"]]))
        let nsid = IdentityCheck(nsid: .one(Reply(.response(named))), chaos: [refused, refused])
        #expect(nsid.finding.conclusion == "it calls itself \"ams1\"")
        #expect(IdentityCheck(nsid: none, chaos: [refused, text, refused]).site == "site 7")
        let software = IdentityCheck(nsid: none, chaos: [refused, refused, text]).finding
        #expect(software.judgement == .fail)
        #expect(software.conclusion.contains("(its software: \"site 7\")"))
        let silent = IdentityCheck(nsid: .one(.silence), chaos: [.one(.silence)])
        #expect(silent.finding.judgement == .inconclusive)
        let dropping = IdentityCheck(nsid: .one(.silence), chaos: [refused, refused, refused])
        let advice = "it drops queries with NSID: measure it with --no-nsid"
        #expect(dropping.finding.conclusion == advice)
        let stopped = IdentityCheck(nsid: none, chaos: [refused, .one(Reply(.cancelled))])
        #expect(stopped.finding.judgement == .inconclusive)
    }

    @Test(
        arguments: [
            (texts: [["192.0.2.53"]], egress: ["192.0.2.53"], subnets: []),
            (
                [["192.0.2.53"], ["edns0-client-subnet 198.51.100.0/24"]], ["192.0.2.53"],
                ["198.51.100.0/24"]
            ),
            (
                [["ns", "2001:db8::53"], ["ecs", "198.51.100.0/24/0"], ["ip", "198.51.100.7"]],
                ["2001:db8::53"], ["198.51.100.0/24"]
            ),
            ([["ns", "192.0.2.53"], ["ecs", "0.0.0.0/0/0"]], ["192.0.2.53"], []),
            (
                [["no address"], ["a", "b", "c"], [], ["ecs", "nonsense"], ["ecs", "a/b"]], [], []
            ),
        ] as [([[String]], [String], [String])]
    )
    func `the egress address is read from both kinds of answers`(
        texts: [[String]],
        egress: [String],
        subnets: [String]
    ) {
        let check = EgressCheck(evidence: [.one(.answer(texts: texts))])
        #expect(check.addresses.map(\.description) == egress)
        #expect(check.subnets == subnets)
        let told = egress.isEmpty ? Judgement.inconclusive : .pass
        #expect(check.finding(sharedWith: []).judgement == told)
        #expect(
            check.subnetFinding(isDeclared: false).judgement == (subnets.isEmpty ? told : .fail)
        )
        #expect(check.subnetFinding(isDeclared: true).judgement == told)
    }

    @Test func `a client subnet may be forwarded to some servers only`() {
        let replies: [Reply] = [.answer(texts: [["192.0.2.53"]]), Reply(.cancelled)]
        let finding = EgressCheck(evidence: Evidence.all(replies)).subnetFinding(isDeclared: false)
        #expect(finding.judgement == .inconclusive)
    }

    @Test(arguments: [
        (replies: [Reply(.timeout), Reply(.timeout)], judgement: Judgement.pass),
        ([Reply(.unreachable("host unreachable")), Reply(.blocked)], .pass),
        ([Reply(.timeout), .failure], .fail),
        ([Reply(.malformed("is cut"))], .fail),
        ([Reply(.blocked), Reply(.blocked)], .inconclusive),
        ([Reply(.noRoute("no route to host"))], .inconclusive),
        ([Reply(.wrongAddress("no such device"))], .inconclusive),
        ([Reply(.cancelled)], .inconclusive),
        ([], .inconclusive),
    ])
    func `an answer from an unused address means interception`(
        replies: [Reply],
        judgement: Judgement
    ) {
        #expect(InterceptionCheck.judge(Evidence.all(replies)).judgement == judgement)
    }

    @Test func `TCP and truncated answers are judged separately`() {
        let answer = Reply.answer(Address.host)
        func judgement(_ plain: Reply, _ large: Reply) -> Judgement {
            StreamCheck(plain: .one(plain), large: .one(large)).finding.judgement
        }
        var cut = answer
        cut.wasTruncated = true
        #expect(judgement(answer, cut) == .pass)
        #expect(judgement(answer, answer) == .pass)
        #expect(judgement(Reply(.unreachable("connection refused")), answer) == .fail)
        #expect(judgement(answer, Reply(.timeout, wasTruncated: true)) == .fail)
        #expect(judgement(answer, .silence) == .inconclusive)
        for unasked in [QueryResult.cancelled, .blocked, .noRoute("no route to host")] {
            #expect(judgement(Reply(unasked), Reply(unasked)) == .inconclusive)
            #expect(judgement(answer, Reply(unasked, wasTruncated: true)) == .inconclusive)
            #expect(judgement(Reply(.unreachable("connection refused")), Reply(unasked)) == .fail)
        }
    }

    @Test(arguments: [
        (code: ResponseCode.noError, edns: true, wants: true, signed: true, Judgement.pass),
        (.noError, true, true, false, .fail),
        (.noError, true, false, true, .fail),
        (.noError, false, false, false, .fail),
        (.formErr, false, false, false, .fail),
        (.badVersion, true, false, false, .fail),
        (.servFail, true, true, false, .inconclusive),
    ])
    func `the answer must have EDNS and signatures`(
        code: ResponseCode,
        edns: Bool,
        wants: Bool,
        signed: Bool,
        judgement: Judgement
    ) {
        var response = Response(code: code)
        response.hasEDNS = edns
        response.dnssecOK = wants
        response.hasSignatures = signed
        let check = ExtensionCheck(evidence: [.one(Reply(.response(response)))])
        #expect(check.finding.judgement == judgement)
    }
}
