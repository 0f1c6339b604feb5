import SQLite
import Samples
import Statistics

/// The samples of one round in one rollup: the facts that depend on their order, or on the whole round.
struct RoundPart {
    /// The hour, counted from 1970.
    let hour: Int64
    /// The number of the resolver with its series.
    let target: Int64
    let type: UInt16
    /// The time of the last answer, in milliseconds.
    private(set) var previous: Double?
    private(set) var wasAsked = false
    private(set) var wasAnswered = false

    init(hour: Int64, target: Int64, type: UInt16) {
        (self.hour, self.target, self.type) = (hour, target, type)
    }

    init(of probe: ProbeFacts, at hour: Int64) {
        self.init(hour: hour, target: probe.target, type: probe.type)
    }

    /// Adds a sample, with its `outcome` in latency figures.
    mutating func add(_ observation: Observation, _ outcome: QueryOutcome) {
        if observation.outcome.wasSent { wasAsked = true }
        if observation.outcome.showsAvailability { wasAnswered = true }
        if case .answered(let time) = outcome { previous = time }
    }
}

extension [RollupPlace: RoundPart] {
    /// The availability of each resolver in one round. See ``counted``.
    func merge(into rollups: inout [RollupPlace: HourlySum.Figures]) {
        for (place, availability) in counted {
            rollups[place, default: HourlySum.Figures()].availability.merge(availability)
        }
    }
}

/// A resolver that a round asked in an hour.
private struct AskedResolver: Hashable {
    let hour: Int64
    let target: Int64
}

extension Dictionary where Value == RoundPart {
    /// The availability of each resolver in one round. The part of a round in an hour counts once per
    /// resolver, although it has a rollup per record type: in the rollup of the type with the lowest number.
    /// The order of the samples, and their number of imports, therefore do not matter.
    var counted: [Key: Availability] {
        typealias Entry = (place: Key, type: UInt16, wasAnswered: Bool)
        var found: [AskedResolver: Entry] = [:]
        for (place, part) in self where part.wasAsked {
            let resolver = AskedResolver(hour: part.hour, target: part.target)
            guard let known = found[resolver] else {
                found[resolver] = (place, part.type, part.wasAnswered)
                continue
            }
            found[resolver]?.wasAnswered = known.wasAnswered || part.wasAnswered
            if part.type < known.type {
                found[resolver]?.place = place
                found[resolver]?.type = part.type
            }
        }
        var counted: [Key: Availability] = [:]
        for entry in found.values {
            counted[entry.place] = Availability(rounds: 1, dead: entry.wasAnswered ? 0 : 1)
        }
        return counted
    }
}

extension Availability {
    private static let mostHeld = 10_000

    /// Adds up the availability for a store that did not yet record it by the hour. Rounds whose samples were
    /// pruned remain uncounted.
    static func fill(_ database: Database) throws {
        // The cursor reads columns of later versions, which an empty store of this version does not have.
        guard try database.count("SELECT EXISTS (SELECT 1 FROM round)") > 0 else { return }
        let sources = try RollupSources(database)
        let cursor = try SampleCursor(database, tellsAnswers: false)
        var tallies: [RollupPlace: Availability] = [:]
        try database.forEachRound(Store.Window()) { round in
            guard !round.row.isPruned, round.round.isCounted else { return }
            if tallies.count > mostHeld {
                try write(tallies, database)
                tallies = [:]
            }
            var parts: [RollupPlace: RoundPart] = [:]
            try cursor.read(round.row) { sample in
                guard let (key, facts) = sources.key(of: sample.probe, in: round.runRow) else {
                    return
                }
                let hour = sample.time.hourNumber
                parts[RollupPlace(hour: hour, key: key), default: RoundPart(of: facts, at: hour)]
                    .add(sample.observation, QueryOutcome(sample.observation, in: facts.series))
            }
            for (place, availability) in parts.counted {
                tallies[place, default: Availability()].merge(availability)
            }
        }
        try write(tallies, database)
    }

    /// Adds availability to rollups. A rollup that is damaged stays as it is, so that a check still finds it.
    private static func write(
        _ tallies: [RollupPlace: Availability],
        _ database: Database
    ) throws {
        let find = try Statement(
            database,
            """
            SELECT \(HourlySum.Figures.columns), hour, key, checksum FROM rollup
            WHERE hour = ? AND key = ?
            """
        )
        var changed: [RollupPlace: HourlySum.Figures] = [:]
        for (place, availability) in tallies {
            let isIntact = try find.first([place.hour, place.key]) { row in
                do { return try HourlySum.Figures(row).isIntact(row, at: place) } catch {
                    return false
                }
            }
            if isIntact == true { changed[place, default: .init()].availability = availability }
        }
        try HourlySum.Figures.add(changed, database)
    }
}
