import DNSWire
import SQLite
import Samples
import Statistics

extension ConnectionSums {
    /// Adds a sample of `series`. A plain TCP connection, which every query opens anew, is not counted.
    mutating func add(_ observation: Observation, in series: Series) {
        guard let extras = observation.extras, observation.outcome.isResponse else { return }
        if extras.flags.contains(.unverified) { count(unverified: 1) }
        guard observation.outcome == .answered, extras.tellsOfConnection(in: series) else { return }
        if let use = extras.connection { count(use: use.rawValue) }
        guard let steps = observation.steps(in: series) else { return }
        insert(
            connect: steps.connect,
            handshake: steps.handshake ?? 0,
            query: steps.query,
            isOpening: extras.isOpening(in: series)
        )
    }
}

extension Observation.Extras {
    fileprivate func tellsOfConnection(in series: Series) -> Bool {
        series == .first || handshake != nil || (connection ?? .new) != .new
    }
}

/// Only rollups whose samples report on connections have a row.
extension ConnectionSums: HourlyFigures {
    static let table = "connection"
    static let names = kinds.map(\.description) + ["unverified"] + parts.map(\.name)

    private static let kinds: [ConnectionUse] = [.new, .reused, .resumed, .early]
    private static let parts: [(part: Part, name: String)] = [
        (.connect, "connect"), (.handshake, "handshake"), (.query, "query"), (.whole, "whole"),
    ]

    var values: [(any StatementBinding)?] {
        let counts = Self.kinds.map { uses[$0.rawValue] ?? 0 } + [unverified]
        let sketches = Self.parts.map { Blob(bytes: times(of: $0.part).encoded()) }
        return counts.map { Int64($0) } + sketches
    }

    init(_ row: Statement) throws {
        self.init()
        for (index, use) in Self.kinds.enumerated() {
            count(use: use.rawValue, times: try Self.count(row.integer(Int32(index))))
        }
        count(unverified: try Self.count(row.integer(4)))
        for (index, entry) in Self.parts.enumerated() {
            merge(try LatencySketch(decoding: row.blob(Int32(index + 5))), of: entry.part)
        }
    }
}

extension ConnectionSums {
    private static let mostHeld = 10_000

    /// Adds up the connections of a store that did not yet record them by the hour. Hours whose samples were
    /// pruned remain without them.
    static func fill(_ database: Database) throws {
        let opened = """
            SELECT DISTINCT round FROM detail
            WHERE handshake IS NOT NULL OR connection IS NOT NULL OR words IS NOT NULL
            """
        let rounds = Set(try database.rows(opened) { try $0.integer(0) })
        guard !rounds.isEmpty else { return }
        let first = try database.integer("SELECT hour FROM pruning") ?? .min
        let sources = try RollupSources(database)
        let cursor = try SampleCursor(database)
        var tallies: [RollupPlace: ConnectionSums] = [:]
        try database.forEachRound(Store.Window()) { round in
            guard rounds.contains(round.row.id), round.round.isCounted else { return }
            if tallies.count > mostHeld {
                try add(tallies, database)
                tallies = [:]
            }
            try cursor.read(round.row) { sample in
                let hour = sample.time.hourNumber
                guard sample.observation.extras != nil, hour >= first,
                    let (key, facts) = sources.key(of: sample.probe, in: round.runRow)
                else { return }
                tallies[RollupPlace(hour: hour, key: key), default: ConnectionSums()]
                    .add(sample.observation, in: facts.series)
            }
        }
        try add(tallies, database)
    }
}
