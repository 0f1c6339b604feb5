import Testing

@testable import Integrity

struct ValidationCheckTests {
    typealias Zone = ValidationCheck.Zone

    static let validating = Zone(
        good: .one(.answer(Address.host, validated: true)),
        bad: .one(.failure),
        unchecked: .one(.answer(Address.host))
    )
    static let careless = Zone(good: .one(.answer(Address.host)), bad: .one(.answer(Address.host)))
    /// The servers of the test zone fail.
    static let down = Zone(good: .one(.failure))
    static let downInPart = Zone(
        good: .one(.answer(Address.host, validated: true)),
        bad: .one(.failure),
        unchecked: .one(.failure)
    )
    /// A forwarder in front of a validating resolver may remove the AD bit.
    static let unmarked = Zone(
        good: .one(.answer(Address.host)),
        bad: .one(.failure),
        unchecked: .one(.answer(Address.host))
    )
    static let silent = Zone(
        good: .one(.answer(Address.host, validated: true)),
        bad: .one(.silence)
    )

    @Test(arguments: [
        (zones: [validating, validating], judgement: Judgement.pass),
        ([down, validating, validating], .pass),
        ([careless, validating, validating], .pass),
        ([careless, careless], .fail),
        ([validating, careless, careless], .fail),
        ([validating, down, down], .inconclusive),
        ([validating, careless, down], .inconclusive),
        ([careless, downInPart, down], .inconclusive),
        ([unmarked, unmarked, unmarked], .inconclusive),
        ([downInPart, downInPart, downInPart], .inconclusive),
        ([silent, silent, silent], .inconclusive),
        ([validating], .inconclusive),
        ([], .inconclusive),
    ])
    func `two of three zones decide the judgement`(zones: [Zone], judgement: Judgement) {
        #expect(ValidationCheck(zones: zones).finding.judgement == judgement)
    }

    @Test func `the reason names the unclear observation`() {
        let finding = ValidationCheck(zones: [Self.unmarked]).finding
        #expect(
            finding.conclusion
                == "of 1 test zone no two agree: the bad name fails, but the good one is not "
                + "marked as validated"
        )
        #expect(finding.evidence.count == 3)
    }
}
