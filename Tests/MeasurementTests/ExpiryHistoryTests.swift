import Testing

@testable import Measurement
@testable import Samples

struct ExpiryHistoryTests {
    /// TTLs with the second of their arrival, and the finding on each TTL given the TTLs before it.
    private static let cases:
        [(what: String, answers: [(Double, UInt32)], [ExpiryHistory.Finding])] =
            [
                (
                    "a cache that counts down and fetches again",
                    [(0, 300), (1.5, 299), (120, 180), (299.9, 0), (301, 300), (302.5, 298)],
                    [.first, .hit, .hit, .hit, .miss, .hit]
                ),
                (
                    "two caches behind one address",
                    [(0, 300), (10, 300), (20, 280), (30, 280), (40, 300)],
                    [.first, .unchanging, .hit, .hit, .miss]
                ),
                (
                    "a TTL that stays",
                    [(0, 60), (0.4, 60), (1.5, 60), (1.9, 60), (100, 60)],
                    [.first, .hit, .unchanging, .unchanging, .unchanging]
                ),
                (
                    "what may not be kept",
                    [(0, 0), (0.2, 0), (5, 0)],
                    [.unchanging, .unchanging, .unchanging]
                ),
                (
                    "a cache that has had it longer",
                    [(0, 300), (10, 100), (20, 90), (30, 270)],
                    [.first, .unknown, .hit, .hit]
                ),
                ("a longer TTL", [(0, 30), (2, 3600), (4, 3598)], [.first, .miss, .hit]),
                (
                    "the greatest and the least",
                    [(0, .max), (2, .max - 2), (4, 1), (4.5, 1)],
                    [.first, .hit, .unknown, .hit]
                ),
            ]

    @Test(arguments: cases.indices)
    func `a TTL shows whether an answer was cached`(index: Int) {
        let (what, answers, findings) = Self.cases[index]
        var history = ExpiryHistory()
        let start = Timestamp(nanoseconds: 1_795_232_112_000_000_000)
        let found = answers.map { second, ttl in
            history.note(ttl: ttl, received: start.advanced(by: .seconds(second)))
        }
        #expect(found == findings, "\(what)")
    }

    @Test func `the latest possible time of a clock is accepted`() {
        var history = ExpiryHistory()
        for ttl in [UInt32.max, 300, 0] {
            let finding = history.note(ttl: ttl, received: Timestamp(nanoseconds: .max))
            #expect([.first, .hit].contains(finding))
        }
        #expect(history.note(ttl: 300, received: Timestamp(nanoseconds: .max)) == .hit)
    }
}
