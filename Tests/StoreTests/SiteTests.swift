import Fixtures
import Samples
import Store
import Testing

struct SiteTests {
    private let folder = TemporaryFolder()
    private static let hours = 30

    /// Creates a store with one round per hour. Each site answers for six hours.
    private func filled(_ path: String, vantage: String = "here") throws -> Store {
        let store = try Store(path: path, durability: .off)
        for hour in 0..<Self.hours {
            var simulation = try Simulation(seed: UInt64(hour))
            simulation.vantage = vantage
            var round = simulation.round(
                hour + 1,
                at: Simulation.start.advanced(by: .seconds(3600 * hour))
            )
            for index in round.samples.indices {
                round.samples[index].observation.extras =
                    round.samples[index].target == 2
                    ? nil : Observation.Extras(site: "s\(hour / 6)")
            }
            try simulation.append(round, to: store)
        }
        return store
    }

    private func moment(hour: Int) -> Timestamp {
        Simulation.start.advanced(by: .seconds(3600 * hour))
    }

    /// Returns the histories by vantage point and label, so that the order of the rows has no effect.
    private func byLabel(_ sites: [AnsweringSites]) -> [String: SiteHistory] {
        Dictionary(
            sites.map { ("\($0.vantage) \($0.target.label)", $0.history) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test(arguments: [0..<30, 3..<17, 29..<30, 40..<50])
    func `a store returns the sites of its samples`(hours: Range<Int>) throws {
        let folder = TemporaryFolder()
        let store = try filled(folder.file("a.sqlite"))
        for labels in [nil, ["home"], ["far"]] as [Set<String>?] {
            let window = Store.Window(
                since: moment(hour: hours.lowerBound),
                until: moment(hour: hours.upperBound),
                labels: labels,
                includesMarked: true
            )
            let told = byLabel(try store.sites(window))
            #expect(told == byLabel(try store.recording(window).answeringSites))
            let expected = hours.lowerBound >= Self.hours ? [] : labels ?? ["home", "work", "far"]
            #expect(Set(told.keys) == Set(expected.subtracting(["far"]).map { "here \($0)" }))
        }
    }

    @Test func `sites outside the window are not read`() throws {
        let path = folder.file("a.sqlite")
        _ = try filled(path)
        // The value has the wrong type. A file contains such a value only if a program bypassed its schema.
        let table = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
        for change in [
            "\(table) replace(sql, 'STRICT', '') WHERE name = 'text'",
            "UPDATE text SET value = x'00ff' WHERE value = 's4'",
            "\(table) sql || 'STRICT' WHERE name = 'text'",
        ] { try OtherProgram.run(change, on: path) }
        let store = try Store(path: path, access: .readOnly)
        let sites = try store.sites(Store.Window(until: moment(hour: 24)))
        #expect(sites.map(\.history.sites.count) == [4, 4])
        #expect(throws: StoreError.self) { try store.sites() }
    }

    @Test func `rounds of another origin are not read`() throws {
        let store = try filled(folder.file("a.sqlite"))
        #expect(try store.sites(Store.Window(origins: [.compare])).isEmpty)
        #expect(try store.sites(Store.Window(origins: [.sample])).count == 2)
    }

    @Test func `several stores return their sites by vantage point`() throws {
        let group = StoreGroup([
            try filled(folder.file("a.sqlite")),
            try filled(folder.file("b.sqlite"), vantage: "there"),
        ])
        let told = byLabel(try group.sites())
        #expect(told.keys.sorted() == ["here home", "here work", "there home", "there work"])
        #expect(told.values.allSatisfy { $0.sites == (0..<5).map { "s\($0)" } })
        #expect(told.values.allSatisfy { $0.moves.count == 4 })
    }
}
