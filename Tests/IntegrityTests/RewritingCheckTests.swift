import DNSWire
import Testing

@testable import Integrity

struct RewritingCheckTests {
    @Test(arguments: [
        (plain: [Reply.noSuchName, .noSuchName], www: [Reply.noSuchName], Judgement.pass),
        // A denial without NXDOMAIN is still a denial (RFC 9824).
        ([.answer(), .noSuchName], [.noSuchName], .pass),
        ([.answer(Address.page), .answer(Address.page)], [.answer(Address.page)], .fail),
        ([.answer(Address.other, Address.page), .answer(Address.page)], [.noSuchName], .fail),
        ([.noSuchName, .noSuchName], [.answer(Address.page), .answer(Address.page)], .fail),
        // One zone may have a wildcard.
        ([.answer(Address.page), .noSuchName], [.answer(Address.page)], .inconclusive),
        ([.answer(Address.page), .answer(Address.other)], [.noSuchName], .inconclusive),
        ([.noSuchName, .noSuchName], [.answer(Address.page), .noSuchName], .inconclusive),
        ([.failure, .failure], [.failure], .inconclusive),
        ([.noSuchName, .silence], [.noSuchName], .inconclusive),
        ([.noSuchName], [.noSuchName], .inconclusive),
        ([], [], .inconclusive),
        // A filter answers, and marks the names as blocked.
        ([.answer(Address.null), .answer(Address.null)], [.answer(Address.null)], .inconclusive),
        ([.blockPage, .blockPage], [.blockPage], .inconclusive),
        ([.noSuchName, .noSuchName], [.answer(Address.null)], .inconclusive),
        ([.answer(Address.page), .answer(Address.page)], [.answer(Address.null)], .fail),
        ([.answer(code: .nxDomain, error: 15), .noSuchName], [.noSuchName], .pass),
    ])
    func `random names reveal rewriting`(plain: [Reply], www: [Reply], judgement: Judgement) {
        let check = RewritingCheck(plain: Evidence.all(plain), www: Evidence.all(www))
        #expect(check.finding.judgement == judgement)
    }

    @Test func `the conclusion says that random names are blocked`() {
        let check = RewritingCheck(
            plain: Evidence.all([.blockPage, .blockPage]),
            www: Evidence.all([.answer(Address.null)])
        )
        #expect(check.finding.conclusion == "random names are blocked")
        #expect(check.finding.invention == nil)
    }

    @Test func `the conclusion names the address, and www if only www is rewritten`() {
        let page = Reply.answer(Address.page)
        let all = RewritingCheck(plain: Evidence.all([page, page]), www: Evidence.all([page]))
        #expect(all.finding.conclusion == "names that do not exist are sent to 198.51.100.80")
        let www = RewritingCheck(
            plain: Evidence.all([.noSuchName, .noSuchName]),
            www: Evidence.all([page, page])
        )
        #expect(www.finding.conclusion.hasSuffix("198.51.100.80 where they begin with www"))
        #expect(
            www.finding.evidenceText
                == "asked x.test A: NXDOMAIN; x.test A: NXDOMAIN; x.test A: NOERROR 198.51.100.80; "
                + "x.test A: NOERROR 198.51.100.80"
        )
    }
}
