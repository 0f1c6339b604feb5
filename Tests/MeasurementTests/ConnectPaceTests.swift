import Testing

@testable import Measurement

struct ConnectPaceTests {
    private typealias Pace = ConnectPace<ContinuousClock.Instant>

    private let start = ContinuousClock.now

    private func moment(_ seconds: Double) -> ContinuousClock.Instant {
        start.advanced(by: .seconds(seconds))
    }

    @Test func `checks are ten seconds apart, and an almost due check waits`() {
        var pace = Pace()
        func begin(at seconds: Double) -> ContinuousClock.Instant? {
            pace.begin(at: moment(seconds), onLoopback: false)
        }
        #expect(begin(at: 3) == moment(3))
        // The connections of the check before are still open.
        #expect(begin(at: 14) == nil)
        pace.end()
        #expect(begin(at: 10.9) == nil)
        #expect(begin(at: 11) == moment(13))
        pace.end()
        #expect(begin(at: 40) == moment(40))
        #expect(pace.rounds == 3)
    }

    @Test func `a complete round is claimed every ten seconds`() {
        var pace = Pace()
        let claimed = (0..<50).filter { pace.claim(at: moment(Double($0))) }
        #expect(claimed == [0, 10, 20, 30, 40])
    }

    @Test func `an address gets at most twenty connects`() {
        var pace = Pace(after: 18)
        let begun = (0..<9).filter { round in
            let start = pace.begin(at: moment(Double(round) * 60), onLoopback: round % 2 == 0)
            if start != nil { pace.end() }
            return start != nil
        }
        #expect(begun == [0, 1])
        let isClaimed = pace.claim(at: moment(3600))
        #expect(pace.isSpent && !isClaimed)
        #expect(Pace.mostRounds == 20 && Pace.step == .milliseconds(200))
    }

    @Test func `on loopback no connect waits`() {
        var pace = Pace()
        for _ in 0..<5 {
            let (first, start) = (
                pace.claim(at: moment(1)), pace.begin(at: moment(1), onLoopback: true)
            )
            let second = pace.claim(at: moment(1))
            #expect(first && start == moment(1) && !second)
            pace.end()
        }
    }
}
