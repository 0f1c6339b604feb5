import Measurement
import Samples
import Testing

struct RoundScheduleTests {
    private func schedule(_ interval: Duration, length: Duration = .seconds(8)) -> RoundSchedule {
        RoundSchedule(interval: interval, length: length)
    }

    @Test func `rounds begin at multiples of the interval, even after late rounds`() {
        var schedule = schedule(.seconds(300))
        var time = Duration.zero
        for round in 0..<2_000 {
            time = max(time, schedule.next(at: time))
            #expect(time == .seconds(300 * round))
            time += .milliseconds(round % 50_000)
            #expect(schedule.begin(at: time) == 0)
        }
    }

    @Test func `no round begins before its slot`() {
        var schedule = schedule(.seconds(300))
        #expect(schedule.begin(at: .zero) == 0)
        #expect(schedule.begin(at: .seconds(299)) == nil)
        #expect(schedule.next(at: .seconds(299)) == .seconds(300))
        #expect(schedule.begin(at: .seconds(300)) == 0)
    }

    @Test func `missed slots are not repeated`() {
        var schedule = schedule(.seconds(300))
        #expect(schedule.begin(at: .zero) == 0)
        // Suspended for an hour after the first round, so that slots 1 to 12 have passed.
        let awake = Duration.seconds(3_600 + 290)
        #expect(schedule.begin(at: awake) == nil)
        #expect(schedule.next(at: awake) == .seconds(13 * 300))
        #expect(schedule.begin(at: .seconds(13 * 300)) == 12)
        #expect(schedule.next(at: .seconds(13 * 300)) == .seconds(14 * 300))
    }

    @Test func `a round begins late up to a quarter of the interval`() {
        var schedule = schedule(.seconds(300))
        #expect(schedule.begin(at: .zero) == 0)
        #expect(schedule.next(at: .seconds(375)) == .seconds(300))
        #expect(schedule.next(at: .seconds(376)) == .seconds(600))
        #expect(schedule.begin(at: .seconds(375)) == 0)
        #expect(schedule.next(at: .seconds(375)) == .seconds(600))
    }

    @Test func `a round that waited begins within its slot`() {
        var schedule = schedule(.seconds(300))
        #expect(schedule.begin(at: .zero, hasWaited: true) == 0)
        #expect(schedule.begin(at: .seconds(299), hasWaited: true) == nil)
        #expect(schedule.begin(at: .seconds(599), hasWaited: true) == 0)
        // The pace remains the same.
        #expect(schedule.next(at: .seconds(600)) == .seconds(607))
        #expect(schedule.begin(at: .seconds(1_200), hasWaited: true) == 2)
    }

    @Test func `the pace is kept with a shorter interval`() {
        var schedule = schedule(.seconds(1))
        #expect(schedule.period == .seconds(8))
        var begun: [Duration] = []
        var time = Duration.zero
        for delay in [0, 3, 200, 900, 1_900, 0, 7_000, 0, 0] {
            time = schedule.next(at: time) + .milliseconds(delay)
            if schedule.begin(at: time) != nil { begun.append(time) }
        }
        #expect(begun.count == 7)
        for (one, next) in zip(begun, begun.dropFirst()) { #expect(next - one >= .seconds(8)) }
    }

    @Test func `a changed interval counts from the latest round`() {
        var schedule = schedule(.seconds(300))
        #expect(schedule.begin(at: .zero) == 0)
        #expect(schedule.begin(at: .seconds(300)) == 0)
        schedule.change(interval: .seconds(60), length: .seconds(8), at: .seconds(440))
        #expect(schedule.next(at: .seconds(440)) == .seconds(480))
        #expect(schedule.begin(at: .seconds(480)) == 0)
        schedule.change(interval: .seconds(600), length: .seconds(8), at: .seconds(490))
        #expect(schedule.next(at: .seconds(490)) == .seconds(1_080))
        // A second change to the same interval has no effect.
        schedule.change(interval: .seconds(600), length: .seconds(9), at: .seconds(700))
        #expect(schedule.next(at: .seconds(700)) == .seconds(1_080))
    }

    @Test(arguments: [Duration.zero, .nanoseconds(1), .seconds(366 * 86_400)])
    func `every interval has a next slot at any time`(interval: Duration) {
        var schedule = schedule(interval, length: .zero)
        for time in [Duration.zero, .nanoseconds(1), .seconds(100 * 365 * 86_400)] {
            let next = schedule.next(at: time)
            #expect(next <= time + schedule.period)
            #expect(schedule.begin(at: max(next, time)) != nil)
        }
    }
}
