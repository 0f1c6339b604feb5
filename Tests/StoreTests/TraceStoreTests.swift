import Catalogue
import Fixtures
import SQLite
import Samples
import Testing

@testable import Store

struct TraceStoreTests {
    private let folder = TemporaryFolder()
    private var simulation: Simulation

    init() throws {
        simulation = try Simulation()
    }

    /// Creates a store with round 1 of run `r`.
    private func store(_ name: String) throws -> Store {
        var simulation = simulation
        let store = try Store(path: folder.file(name))
        try simulation.append(simulation.round(), to: store)
        return store
    }

    private func trace(_ target: Int, hour: Int = 1, site: String? = "ams1") throws -> KeptTrace {
        let hops = try ["192.0.2.1", "2001:db8::1"].enumerated().map { index, text in
            PathTrace.Hop(
                address: try #require(IPAddress(text)),
                roundTrip: .nanoseconds(1_234_567 * (index + 1))
            )
        }
        return KeptTrace(
            vantage: "here",
            run: "r",
            round: 1,
            target: simulation.targets[target],
            kind: "unreachable",
            since: Simulation.start,
            time: Simulation.start.advanced(by: .seconds(3600 * hour)),
            path: PathTrace(hops: [hops[0], nil, hops[1]], end: .answered, site: site),
            handshake: .microseconds(2_100)
        )
    }

    @Test func `stored traces are read by time, and a merge copies them`() throws {
        let store = try store("store.sqlite")
        #expect(try store.traces() == [])
        let traces = [try trace(1, hour: 2, site: nil), try trace(0)]
        try store.note(traces)
        // Only the first trace with a given time is stored.
        try store.note([try trace(0, site: "lhr2")])
        #expect(try Store(path: folder.file("store.sqlite"), access: .readOnly).traces() == traces)
        let window = Store.Window(
            since: Simulation.start,
            until: Simulation.start.advanced(by: .seconds(7200))
        )
        #expect(try store.traces(window) == [traces[1]])
        #expect(try store.traces(Store.Window(labels: [traces[0].target.label])) == [traces[0]])
        #expect(try store.check().findings == [])

        let other = try Store(path: folder.file("other.sqlite"))
        _ = try other.merge(from: store)
        _ = try other.merge(from: store)
        #expect(try other.traces() == traces)
        #expect(try other.check().findings == [])

        // Pruning keeps traces, because they are small. It also keeps their round.
        #expect(try store.prune(olderThan: Simulation.start.advanced(by: .seconds(864_000))) > 0)
        #expect(try store.traces() == traces)
        #expect(try store.check().findings == [])
    }

    @Test(arguments: [
        "UPDATE trace SET hops = '*'", "UPDATE trace SET ending = 'closed'",
        "UPDATE trace SET site = NULL", "UPDATE trace SET since = since + 1",
        "UPDATE trace SET handshake = 1", "UPDATE trace SET kind = 'slower'",
        "UPDATE trace SET target = 2",
    ])
    func `the check reports a changed trace`(sql: String) throws {
        let store = try store("store.sqlite")
        try store.note([try trace(0)])
        try store.write { try $0.database.execute(sql) }
        let findings = try store.check().findings
        #expect(findings.count == 1 && findings[0].hasSuffix(" is not as it was stored"))
    }

    @Test func `the check reports a trace without its round`() throws {
        let store = try store("store.sqlite")
        var lone = try trace(0)
        lone.round = 2
        try store.note([lone])
        let findings = try store.check().findings
        #expect(findings.count == 1 && findings[0].hasSuffix(" is of a round that is not there"))
    }

    @Test(arguments: [
        ("ending = 'fate'", "there is no end 'fate' of a trace"),
        ("hops = '192.0.2.1'", "a trace has an invalid hop"),
        ("hops = '192.0.2.1=-1'", "a trace has an invalid hop"),
        ("hops = 'x=1'", "a trace has an invalid hop"),
        ("hops = '\(String(repeating: "* ", count: 31))'", "a trace has more than 30 hops"),
    ])
    func `an invalid trace is an error`(change: String, message: String) throws {
        let store = try store("store.sqlite")
        try store.note([try trace(0)])
        try store.write { try $0.database.execute("UPDATE trace SET \(change)") }
        let error = #expect(throws: StoreError.self) { try store.traces() }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(try store.check().findings.count == 1)
    }
}
