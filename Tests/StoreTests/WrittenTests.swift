import Fixtures
import Samples
import Testing

@testable import Store

/// The rounds of a store that receivers of remote writes accepted.
struct WrittenTests {
    private let folder = TemporaryFolder()
    private let store: Store

    init() throws {
        store = try Store(path: folder.file("store.sqlite"))
    }

    @Test func `each receiver and vantage point has its own last written round`() throws {
        let (first, later) = (Timestamp(nanoseconds: 5), Timestamp(nanoseconds: 7))
        #expect(try store.lastWritten(to: "http://a/", from: "here") == nil)
        try store.noteWritten(until: first, to: "http://a/", from: "here")
        try store.noteWritten(until: later, to: "http://a/", from: "here")
        try store.noteWritten(until: first, to: "http://b/", from: "here")
        #expect(try store.lastWritten(to: "http://a/", from: "here") == later)
        #expect(try store.lastWritten(to: "http://b/", from: "here") == first)
        #expect(try store.lastWritten(to: "http://a/", from: "there") == nil)
        #expect(try store.check().findings == [])
    }

    @Test func `complete rounds are read, except pruned rounds`() throws {
        var simulation = try Simulation()
        #expect(try store.lastRound(from: "here") == nil)
        _ = try simulation.fill(store, run: "r", rounds: 30)
        let rounds = try store.rounds()
        let vantage = try #require(rounds.first).run.vantage
        #expect(try store.lastRound(from: vantage) == rounds.last?.round.started)
        let some = Array(rounds[3..<6])
        let recording = try store.recording(of: some)
        #expect(recording.rounds.map(\.number) == some.map(\.round.number))
        #expect(recording.samples.count == some.reduce(0) { $0 + $1.samples })
        #expect(try store.prune(olderThan: Simulation.start.advanced(by: .seconds(3600))) > 0)
        let left = try store.rounds().filter { !$0.isPruned }
        #expect(try store.recording(of: store.rounds()).rounds.count == left.count)
    }
}
