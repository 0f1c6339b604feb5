import Testing

@testable import Lab

struct WakeMarginTests {
    @Test func `a late wake-up widens the margin at once, punctual wake-ups narrow it slowly`() {
        var margin = WakeMargin()
        margin.note(oversleep: 120_000)
        #expect(margin.nanoseconds == 130_000)
        margin.note(oversleep: 3_000)
        #expect(margin.nanoseconds == 129_000)
        for _ in 0..<500 { margin.note(oversleep: 3_000) }
        #expect(margin.nanoseconds == 20_000)
    }

    @Test(arguments: [-5_000, 5_000_000] as [Int64])
    func `negative and excessive delays do not widen the margin`(oversleep: Int64) {
        var margin = WakeMargin()
        margin.note(oversleep: oversleep)
        #expect(margin.nanoseconds <= 50_000)
    }
}
