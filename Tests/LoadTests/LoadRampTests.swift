import Testing

@testable import Load

struct LoadRampTests {
    @Test func `streams are added until the averages of the throughput agree`() {
        var ramp = LoadRamp()
        // Each stream reaches 3 MB/s, and the line has 10 MB/s.
        while !ramp.isFull { ramp.take(min(3e6 * Double(ramp.streams), 10e6)) }
        // Four streams fill the line. Six more intervals make four averages that agree within the tolerance.
        #expect(ramp.streams == 9)
    }

    @Test func `a throughput that never becomes stable ends the ramp too`() {
        var ramp = LoadRamp()
        var intervals = 0
        while !ramp.isFull, intervals < 1_000 {
            ramp.take(intervals.isMultiple(of: 3) ? 1e6 : 9e6)
            intervals += 1
        }
        #expect(intervals == LoadRamp.longest)
        #expect(ramp.streams == LoadRamp.longest)
    }

    @Test func `a line without throughput is never called stable`() {
        var ramp = LoadRamp()
        for _ in 1..<LoadRamp.longest { ramp.take(0) }
        #expect(!ramp.isFull)
    }
}
