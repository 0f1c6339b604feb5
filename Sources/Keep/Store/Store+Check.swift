import DNSWire
import SQLite
import Samples

/// The faults of a store, and the parts that were not checked.
package struct CheckResult: Hashable, Sendable {
    package static let mostNotes = 20

    /// The faults, one line each, at most a hundred.
    package var findings: [String]
    /// Parts of a central store that were not checked, one line each.
    package var unchecked: [String] = []
    /// Facts that are not faults, one line each.
    package var notes: [String] = []
    /// The numbers of rounds and samples that were read, and of rollups that were compared with them.
    package var rounds = 0
    package var samples = 0
    package var rollups = 0

    package init(findings: [String]) { self.findings = findings }

    package var isSound: Bool { findings.isEmpty && unchecked.isEmpty }
}

extension Store {
    /// Checks that the file is intact, every reference leads to a row, and every round has its samples.
    /// Checks that every rollup of an hour that still has all its samples agrees with them, and that the
    /// rollups of other hours count no fewer queries than their rounds. Rollups from the hour `sumsFrom` on are
    /// not checked.
    package func check(sumsFrom: Int64? = nil) throws(StoreError) -> CheckResult {
        try read { database in
            var check = StoreCheck(database, sumsFrom: sumsFrom ?? .max)
            check.run()
            return check.result
        }
    }
}

/// The check of a store. It continues after a fault.
private struct StoreCheck {
    private(set) var result = CheckResult(findings: [])
    private let database: Database

    /// The first hour whose sums are not checked.
    private let sumsFrom: Int64

    /// The first hour that has all its samples. Pruned hours may still have some, and more may have been
    /// imported.
    private var first = Int64.min
    /// The queries of rounds before ``first``.
    private var queries = HourlyQueries()

    private static let most = 100
    private static let mostHeld = 10_000

    init(_ database: Database, sumsFrom: Int64) {
        self.database = database
        self.sumsFrom = sumsFrom
    }

    mutating func run() {
        attempt { try $0.integrity() }
        attempt { try $0.references() }
        attempt { try $0.roundsAndRollups() }
    }

    private mutating func attempt(_ step: (inout StoreCheck) throws -> Void) {
        do { try step(&self) } catch {
            find("\(error)")
        }
    }

    private mutating func find(_ finding: String) {
        guard result.findings.count < Self.most, !result.findings.contains(finding) else { return }
        result.findings.append(finding)
    }

    private mutating func integrity() throws {
        try database.forEachRow("PRAGMA integrity_check(20)") { row in
            let line = try row.text(0)
            guard line != "ok" else { return }
            find("the file: \(line.split(separator: "\n").joined(separator: "; "))")
        }
        for row in try database.rows(RunRow.selection, read: RunRow.init(_:))
        where row.checksum != row.run.checksum {
            find("run '\(row.run.id)' is not as it was stored")
        }
        for finding in try NoticeRow.findings(database) { find(finding) }
        for finding in try Judgement.findings(database) { find(finding) }
        for finding in try EstablishedCause.findings(database) { find(finding) }
        for finding in try KeptTrace.findings(database) { find(finding) }
        for finding in try Schema.Word.findings(database) { find(finding) }
    }

    private mutating func references() throws {
        try database.forEachRow("PRAGMA foreign_key_check") { row in
            let (table, parent) = try (row.text(0), row.text(2))
            find("a row of \(table) refers to a row of \(parent) that is not there")
        }
    }

    private mutating func roundsAndRollups() throws {
        let sources = try RollupSources(database)
        first = try database.integer("SELECT hour FROM pruning") ?? .min
        var settled = Int64.min
        var expected: [RollupPlace: HourlySum.Figures] = [:]
        let cursor = try SampleCursor(database)
        let left = try Statement(database, "SELECT 1 FROM sample WHERE round = ? LIMIT 1")
        try database.forEachRound(Store.Window()) { round in
            let row = round.row
            // Rounds are sorted by their first sample, so that no more samples follow for earlier hours.
            let hour = Timestamp(nanoseconds: row.start).hourNumber
            // Hours without all samples only have a number each. Many are compared at once.
            if hour > settled, hour > first || queries.counts.count > Self.mostHeld {
                try settle(settled..<hour, &expected, sources)
                settled = hour
            }
            let name = "round \(round.round.number) of run '\(round.run.id)'"
            guard !row.isPruned else {
                let isThere = try left.first([row.id]) { try $0.integer(0) } != nil
                if isThere { find("\(name) was pruned, and has samples") }
                if round.hours.lowerBound < min(first, sumsFrom) { queries.add(round) }
                return
            }
            let found = try add(round, to: &expected, sources, cursor)
            if found.samples != row.samples {
                find("\(name) has \(found.samples) samples where \(row.samples) were stored")
            } else if found.checksum.state != row.checksum.state {
                find("\(name) is not as it was stored")
            }
            if found.lacksSource { find("\(name) has samples without an hourly sum") }
        }
        try settle(settled..<Int64.max, &expected, sources)
    }

    /// Adds up a round. Returns the number of its samples, their checksum, and whether the store lacks the
    /// source of a sum to which they belong.
    private mutating func add(
        _ round: StoredRound,
        to expected: inout [RollupPlace: HourlySum.Figures],
        _ sources: RollupSources,
        _ cursor: SampleCursor
    ) throws -> (samples: Int64, checksum: Checksum, lacksSource: Bool) {
        var samples: Int64 = 0
        var lacksSource = false
        var checksum = Checksum()
        var parts: [RollupPlace: RoundPart] = [:]
        try cursor.read(round.row) { sample in
            // A sample at a wrong position changes the checksum.
            if sample.position != samples { checksum.add(sample.position) }
            samples += 1
            checksum.add(sample.observation, probe: sample.probe, scheduled: sample.scheduled)
            let hour = sample.time.hourNumber
            guard hour < sumsFrom, round.round.isCounted else { return }
            guard hour >= first else { return queries.add(1, at: hour) }
            guard let (key, facts) = sources.key(of: sample.probe, in: round.runRow) else {
                lacksSource = true
                return
            }
            let place = RollupPlace(hour: hour, key: key)
            expected[place, default: HourlySum.Figures()]
                .add(
                    sample.observation,
                    in: facts.series,
                    to: &parts[place, default: RoundPart(of: facts, at: hour)]
                )
        }
        parts.merge(into: &expected)
        result.rounds += 1
        result.samples += Int(samples)
        return (samples, checksum, lacksSource)
    }

    /// Compares the rollups of some hours with the expected ones, and removes these.
    private mutating func settle(
        _ hours: Range<Int64>,
        _ expected: inout [RollupPlace: HourlySum.Figures],
        _ sources: RollupSources
    ) throws {
        let first = first
        var counted = queries
        try compare(hours, sources) { place, stored in
            guard place.hour >= first else {
                counted.add(stored.counts, at: place.hour)
                return nil
            }
            let tally = expected.removeValue(forKey: place)
            return tally?.agrees(with: stored) == true ? nil : "differs from its samples"
        }
        for (hour, count) in counted.lacking.sorted(by: { $0.key < $1.key })
        where hours.contains(hour) {
            find(
                "the hourly sums at \(Timestamp(hourNumber: hour)) count \(count.ofSums) of "
                    + "\(count.ofRounds) queries"
            )
        }
        queries.remove(hours)
        for place in expected.keys where hours.contains(place.hour) {
            find("the hourly sum of \(sources.name(of: place)) is missing")
            expected[place] = nil
        }
    }

    /// Reads the rollups of some hours. `fault` describes the fault of a rollup; `nil` without a fault.
    private mutating func compare(
        _ hours: Range<Int64>,
        _ sources: RollupSources,
        fault: (RollupPlace, HourlySum.Figures) -> String?
    ) throws {
        let hours = hours.clamped(to: .min..<sumsFrom)
        var supplement = try RollupSupplement(database, hours)
        let bounds = [hours.lowerBound, hours.upperBound]
        try database.forEachRow(HourlySum.Figures.selectionOfHours, bounds) { row in
            let place = try HourlySum.Figures.place(row)
            result.rollups += 1
            do {
                var tally = try HourlySum.Figures(row)
                let isIntact =
                    try supplement.complete(&tally, at: place) && tally.isIntact(row, at: place)
                guard
                    let fault = fault(place, tally) ?? (isIntact ? nil : "is not as it was stored")
                else { return }
                find("the hourly sum of \(sources.name(of: place)) \(fault)")
            } catch {
                find("the hourly sum of \(sources.name(of: place)): \(error)")
                _ = fault(place, HourlySum.Figures())
            }
        }
    }
}
