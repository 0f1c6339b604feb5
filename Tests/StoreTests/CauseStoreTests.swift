import Fixtures
import SQLite
import Samples
import Statistics
import Testing

@testable import Store

struct CauseStoreTests {
    private let folder = TemporaryFolder()
    private let simulation: Simulation

    init() throws {
        simulation = try Simulation()
    }

    private func cause(_ target: Int, at hour: Int, _ word: ChangeCause = .path) -> EstablishedCause
    {
        var finding = CauseFinding(cause: word)
        finding.share = word == .mixed ? nil : 0.97
        finding.logEvidence = 6.5
        (finding.units, finding.won) = (12, 11)
        finding.total = 8.125
        finding.parts = [.line: 0.25, .path: 7.875, .resolver: 0]
        return EstablishedCause(
            vantage: "here",
            target: simulation.targets[target],
            kind: .slower,
            hour: hour,
            finding: finding
        )
    }

    @Test func `stored causes are read by hour, and a merge copies them`() throws {
        let store = try Store(path: folder.file("store.sqlite"))
        #expect(try store.causes() == [])
        let causes = [cause(0, at: 500_200), cause(1, at: 500_100, .mixed)]
        try store.note(causes)
        // Only the first cause of a change is stored.
        try store.note([cause(0, at: 500_200, .unknown)])
        #expect(try Store(path: folder.file("store.sqlite"), access: .readOnly).causes() == causes)
        let window = Store.Window(
            since: Timestamp(hourNumber: 500_000),
            until: Timestamp(hourNumber: 500_150)
        )
        #expect(try store.causes(window) == [causes[1]])
        #expect(try store.causes(Store.Window(labels: [causes[0].target.label])) == [causes[0]])
        #expect(try store.check().findings == [])

        let other = try Store(path: folder.file("other.sqlite"))
        _ = try other.merge(from: store)
        #expect(try other.causes() == causes)
    }

    @Test(arguments: [
        "UPDATE cause SET word = 'line'", "UPDATE cause SET path = 7.5",
        "UPDATE cause SET cache = 0", "UPDATE cause SET hour = hour + 1",
        "UPDATE cause SET won = 12", "UPDATE cause SET kind = 'faster'",
    ])
    func `the check reports a changed cause`(sql: String) throws {
        let store = try Store(path: folder.file("store.sqlite"))
        try store.note([cause(0, at: 500_200)])
        try store.write { try $0.database.execute(sql) }
        let findings = try store.check().findings
        #expect(findings.count == 1 && findings[0].hasSuffix(" is not as it was stored"))
    }

    @Test(arguments: [("word", "cause"), ("kind", "change")])
    func `an error names an unknown word in a cause`(column: String, noun: String) throws {
        let store = try Store(path: folder.file("store.sqlite"))
        try store.note([cause(0, at: 500_200)])
        try store.write { try $0.database.execute("UPDATE cause SET \(column) = 'fate'") }
        let error = #expect(throws: StoreError.self) { try store.causes() }
        #expect(error?.description.contains("there is no \(noun) 'fate'") == true)
    }
}
