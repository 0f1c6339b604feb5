import Failures
import Fixtures
import Samples
import Statistics
import Store
import Testing

struct StoreGroupTests {
    private let folder = TemporaryFolder()

    /// Creates a store with one round in each of these hours.
    private func store(
        _ name: String,
        run: String,
        hours: Range<Int>,
        vantage: String = "here"
    ) throws -> Store {
        let store = try Store(path: folder.file(name), durability: .off)
        try fill(store, run: run, hours: hours, vantage: vantage)
        return store
    }

    private func fill(
        _ store: Store,
        run: String,
        hours: Range<Int>,
        vantage: String = "here"
    ) throws {
        for hour in hours {
            var simulation = try Simulation(seed: UInt64(hour))
            simulation.vantage = vantage
            try simulation.append(
                simulation.round(
                    hour + 1,
                    at: Simulation.start.advanced(by: .seconds(3600 * hour + 1700))
                ),
                run: run,
                to: store
            )
        }
    }

    /// Returns the number of queries in the samples and in the rollups.
    private func count(_ history: History) -> Int {
        history.recording.samples.count
            + history.rollups.map {
                $0.counts.sent + $0.counts[.offline] + $0.counts[.blocked]
            }.reduce(0, +)
    }

    private func tallies(_ history: History) -> [String: OutcomeCounts] {
        var counts: [String: OutcomeCounts] = [:]
        for rollup in history.rollups {
            counts[rollup.target.label, default: .init()].merge(rollup.counts)
        }
        for sample in history.recording.samples {
            counts[history.recording.targets[Int(sample.target)].label, default: .init()].count(
                sample.observation.outcome,
                responseCode: sample.observation.responseCode
            )
        }
        return counts
    }

    @Test(
        arguments: [
            (nil, nil, true), (1200, 190 * 3600 + 1200, false), (1200, 194 * 3600 + 1200, true),
            (0, 200 * 3600, true), (1900, nil, true), (nil, 100, true),
        ] as [(Int?, Int?, Bool)]
    )
    func `rollups with edge samples match samples`(since: Int?, until: Int?, isLong: Bool) throws {
        let store = try store("a", run: "r", hours: 0..<300)
        let window = Store.Window(
            since: since.map { Simulation.start.advanced(by: .seconds($0)) },
            until: until.map { Simulation.start.advanced(by: .seconds($0)) }
        )
        let history = try store.history(window)
        let exact = try store.history(window, exact: true)
        let isEmpty = until == 100
        #expect(exact.rollups.isEmpty && exact.hours == nil)
        #expect((history.hours != nil) == (isLong && !isEmpty))
        #expect(tallies(history) == tallies(exact))
        if let hours = history.hours {
            #expect(history.rollups.allSatisfy { hours.contains($0.hour) })
            #expect(
                history.recording.samples.allSatisfy {
                    !hours.contains($0.observation.sent ?? $0.scheduled)
                }
            )
        }
    }

    @Test(arguments: [false, true])
    func `a round that several stores have counts once`(exact: Bool) throws {
        let whole = try store("whole", run: "r", hours: 0..<300)
        let stores = [
            try store("a", run: "r", hours: 0..<180), try store("b", run: "r", hours: 120..<300),
            try store("c", run: "r", hours: 50..<60),
        ]
        let group = StoreGroup(stores)
        let history = try group.history(.init(), exact: exact)
        #expect(count(history) == 2700)
        #expect(tallies(history) == tallies(try whole.history(.init(), exact: exact)))
        let starts = try group.moments().map(\.started)
        #expect(starts.count == 300 && Set(starts).count == 300)
    }

    @Test func `an hour with some shared rounds is computed from samples`() throws {
        let (first, second) = (
            try store("a", run: "r", hours: 0..<240), try store("b", run: "r", hours: 100..<240)
        )
        try fill(second, run: "other", hours: 90..<110)
        let history = try StoreGroup([first, second]).history(.init())
        #expect(count(history) == 2160 + 180)
        #expect(history.hours != nil)
    }

    @Test func `rounds that claim all of time are summed from their samples`() throws {
        let (first, second) = (
            try store("a", run: "r", hours: 0..<20), try store("b", run: "r", hours: 0..<20)
        )
        try fill(second, run: "other", hours: 5..<25)
        try OtherProgram.run(
            """
            UPDATE round SET base = coalesce(base, start), start = -9223372036854775807,
                stop = 9223372036854775807
            """,
            on: second.path
        )
        let history = try StoreGroup([first, second]).history(.init())
        #expect(history.hours != nil && history.recording.samples.isEmpty)
        #expect(count(history) == 40 * 9)
    }

    @Test func `a group reads more stores than SQLite can attach`() throws {
        for index in 0..<14 {
            _ = try store("\(index)", run: "r\(index)", hours: 0..<2, vantage: "v\(index)")
        }
        let group = try StoreGroup(paths: (0..<14).map { folder.file("\($0)") })
        let recording = try group.history(.init()).recording
        #expect(recording.runs.count == 14 && recording.samples.count == 14 * 18)
        #expect(recording.targets.count == 3)
        let times = recording.samples.map { $0.observation.sent ?? $0.scheduled }
        #expect(times == times.sorted())
    }

    @Test func `a merged store contains every round once`() throws {
        let (first, second) = (
            try store("a", run: "r", hours: 0..<200), try store("b", run: "r", hours: 150..<260)
        )
        try fill(second, run: "other", hours: 0..<10, vantage: "there")
        let intake = try first.merge(from: second)
        #expect(intake.rounds == 70 && intake.samples == 630 && intake.known == 450)
        #expect(try first.merge(from: second).samples == 0)
        #expect(try first.info().samples == 270 * 9)
        #expect(try first.check().findings == [])
        let whole = try store("whole", run: "r", hours: 0..<260)
        try fill(whole, run: "other", hours: 0..<10, vantage: "there")
        #expect(try Set(first.recording().lines()) == Set(whole.recording().lines()))
        #expect(try first.merge(from: first) == ImportResult())
    }

    @Test func `rollups of pruned hours are merged once`() throws {
        let (first, second) = (
            try store("a", run: "r", hours: 0..<20), try store("b", run: "other", hours: 0..<40)
        )
        let expected = tallies(try StoreGroup([first, second]).history(.init(), exact: true))
        _ = try second.prune(olderThan: Simulation.start.advanced(by: .seconds(30 * 3600)))
        for _ in 0..<2 {
            _ = try first.merge(from: second)
            let history = try first.history(.init())
            #expect(tallies(history) == expected)
            #expect(try first.info().rounds == 60)
            #expect(try first.check().findings == [])
        }
    }

    @Test func `an interrupted merge from a pruned store can be repeated`() throws {
        let (first, second) = (
            try store("a", run: "r", hours: 0..<20), try store("b", run: "other", hours: 0..<40)
        )
        // The round begins before the end of the pruned hours, and ends after it.
        var simulation = try Simulation()
        try simulation.append(
            simulation.round(41, at: Simulation.start.advanced(by: .milliseconds(107_999_700))),
            run: "other",
            to: second
        )
        let expected = tallies(try StoreGroup([first, second]).history(.init(), exact: true))
        _ = try second.prune(olderThan: Simulation.start.advanced(by: .seconds(30 * 3600)))
        // No sample can have this state.
        func addToLastState(_ number: Int) throws {
            let round = "(SELECT id FROM round ORDER BY start DESC LIMIT 1)"
            try OtherProgram.run(
                "UPDATE sample SET state = state + \(number) WHERE round = \(round)",
                on: second.path
            )
        }
        try addToLastState(1 << 40)
        let error = #expect(throws: StoreError.self) { try first.merge(from: second) }
        #expect(error?.damage != nil && error?.description.contains(second.path) == true)
        try addToLastState(-1 << 40)
        _ = try first.merge(from: second)
        #expect(try tallies(first.history(.init())) == expected)
        #expect(try first.info().rounds == 61)
        #expect(try first.check().findings == [])
    }

    @Test func `a store that is pruned during reading is an error`() throws {
        let stores = [
            try store("a", run: "r", hours: 0..<20), try store("b", run: "other", hours: 0..<20),
        ]
        let half = Simulation.start.advanced(by: .seconds(10 * 3600))
        let error = #expect(throws: StoreError.self) {
            try StoreGroup(stores).read(
                .init(),
                samples: { _ in _ = try stores[1].prune(olderThan: half) },
                rollup: { _ in }
            )
        }
        #expect(error?.status == .busy)
        #expect(error?.description.contains("'\(stores[1].path)' was pruned while") == true)
    }

    @Test(arguments: [
        "rollup SET answered = 4294967296", "rollup SET sum = 1.7e308",
        "connection SET unverified = 4294967296",
    ])
    func `a merge rejects sums that exceed the maximum`(change: String) throws {
        let first = try store("a", run: "r", hours: 0..<20)
        let path = folder.file("b")
        do {
            let second = try store("b", run: "other", hours: 0..<20)
            _ = try second.prune(olderThan: Simulation.start.advanced(by: .seconds(30 * 3600)))
        }
        try OtherProgram.run("UPDATE \(change)", on: path)
        if !change.contains("answered") {
            try OtherProgram.run("UPDATE \(change)", on: first.path)
        }
        let info = try first.info()
        let second = try Store(path: path, access: .readOnly)
        let refused = try #require(throws: StoreError.self) { try first.merge(from: second) }
        #expect(refused.status == .badData, "\(refused)")
        #expect(refused.description.contains("more than an hour can have"), "\(refused)")
        #expect(try first.info() == info)
    }

    @Test func `a merge rejects pruned hours of which the store has a part`() throws {
        let (first, second) = (
            try store("a", run: "r", hours: 0..<20), try store("b", run: "r", hours: 0..<20)
        )
        try fill(second, run: "other", hours: 5..<25)
        _ = try second.prune(olderThan: Simulation.start.advanced(by: .seconds(30 * 3600)))
        let info = try first.info()
        let refused = try #require(throws: StoreError.self) { try first.merge(from: second) }
        #expect(refused.status == .badData && !refused.description.contains("\n"))
        #expect(refused.description.contains("'\(second.path)' cannot be merged into"))
        #expect(try first.info() == info)
        for exact in [false, true] {
            let refused = try #require(throws: StoreError.self) {
                try StoreGroup([first, second]).history(.init(), exact: exact)
            }
            #expect(refused.status == .badData && !refused.description.contains("\n"))
            // Here, the first store has all rounds, and provides the sums for both stores.
            let history = try StoreGroup([second, first]).history(.init(), exact: exact)
            #expect(count(history) == 40 * 9)
        }
    }
}
