import Samples
import Testing

struct ProcessorTimesTests {
    private static let before = """
        cpu  300 0 0 3000 0 0 0 0 0 0
        cpu0 100 0 0 1000 0 0 0 0 0 0
        cpu1 100 0 0 1000 5 0 0 0 0 0
        cpu2 100 0 0 1000 0 0 0 0 0 0
        intr 12 0
        """
    /// Since `before`, each processor has used 100 ticks. The first processor was busy. The second was idle
    /// for 50 ticks, stolen for 10 and busy for 40. The third was idle.
    private static let after = """
        cpu  440 0 0 3150 0 0 0 10 0 0
        cpu0 160 10 10 1000 0 10 10 0 50 0
        cpu1 140 0 0 1040 15 0 0 10 0 0
        cpu2 100 0 0 1100 0 0 0 0 0 0
        intr 99 0
        """

    @Test(arguments: [
        (processors: [0], busy: 1.0, stolen: 0.0), (processors: [1], busy: 0.5, stolen: 0.1),
        (processors: [2], busy: 0.0, stolen: 0.0),
        (processors: [0, 1, 2], busy: 0.5, stolen: 1.0 / 30),
        (processors: [0, 7], busy: 1.0, stolen: 0.0),
    ])
    func `the use covers the processors that the program may use`(
        processors: [Int],
        busy: Double,
        stolen: Double
    ) throws {
        let usable = Set(processors)
        let before = try #require(ProcessorTimes(stat: Self.before, processors: usable))
        let after = try #require(ProcessorTimes(stat: Self.after, processors: usable))
        let use = try #require(after.use(since: before))
        #expect(abs(use.busy - busy) < 1e-9 && abs(use.stolen - stolen) < 1e-9)
        #expect(before.use(since: before) == nil && before.use(since: after) == nil)
    }

    @Test(arguments: [
        "", "cpu0 1 2", "cpu0 a b c d e f g h", "cpu 1 2 3 4 5 6 7 8", "cpuX 1 1 1 1",
    ])
    func `unusable text is not a reading`(stat: String) {
        #expect(ProcessorTimes(stat: stat, processors: [0]) == nil)
    }

    @Test(arguments: [
        (list: "0", numbers: [0]), (list: "0-1", numbers: [0, 1]),
        (list: "0,2-3,8", numbers: [0, 2, 3, 8]), (list: "", numbers: [Int]()),
        (list: "3-1,x,5-", numbers: [5]), (list: "0-4000000000", numbers: []),
        (list: "99999999999999999999", numbers: []),
    ])
    func `a list of processors has numbers and ranges`(list: String, numbers: [Int]) {
        let status = "Name:\tdnstempo\nCpus_allowed:\t3\nCpus_allowed_list:\t\(list)\nThreads:\t1\n"
        #expect(ProcessorTimes.processors(status: status) == Set(numbers))
        #expect(ProcessorTimes.processors(status: "Name:\tdnstempo\n") == [])
    }
}
