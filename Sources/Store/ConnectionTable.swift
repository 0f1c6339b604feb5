import GRDB
import Samples
import Statistics

extension ConnectionSums {
    /// Adds a sample of `series`. A plain TCP connection, which every query opens anew, is nothing
    /// to tell of.
    mutating func add(_ observation: Observation, in series: Series) {
        guard let extras = observation.extras, observation.outcome.isResponse else { return }
        if extras.flags.contains(.unverified) { count(unverified: 1) }
        guard observation.outcome == .answered, extras.tellsOfConnection(in: series) else { return }
        if let use = extras.connection { count(use: use.rawValue) }
        let isOpening = extras.isOpening(in: series)
        guard isOpening || series == .first, let query = observation.roundTrip else { return }
        insert(
            connect: extras.connect.map { Double($0) * 1e-6 },
            handshake: Double(extras.handshake ?? 0) * 1e-6,
            query: Double(query) * 1e-6,
            isOpening: isOpening
        )
    }
}

extension Observation.Extras {
    fileprivate func tellsOfConnection(in series: Series) -> Bool {
        series == .first || handshake != nil || (connection ?? .new) != .new
    }
}

/// The rows that tell what carried the answers of a rollup's hour; only those have one whose
/// connections are worth telling of.
struct ConnectionTable {
    private let find: BoundStatement
    private let put: BoundStatement

    private static let uses: [ConnectionUse] = [.new, .reused, .resumed, .early]
    private static let parts: [(ConnectionSums.Part, String)] = [
        (.connect, "connect"), (.handshake, "handshake"), (.query, "query"), (.whole, "whole"),
    ]
    private static let columns =
        (uses.map(\.description) + ["unverified"] + parts.map(\.1)).joined(separator: ", ")

    init(_ database: Database) throws {
        find = try BoundStatement(
            database,
            "SELECT \(Self.columns) FROM connection WHERE hour = ? AND key = ?"
        )
        put = try BoundStatement(
            database,
            """
            INSERT OR REPLACE INTO connection (\(Self.columns), checksum, hour, key)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
    }

    /// Adds `more` to what is stored beside a rollup, which must be there.
    func add(_ more: ConnectionSums, to place: RollupPlace) throws {
        guard !more.isEmpty else { return }
        var tally = try find.first([place.hour, place.key], read: Self.tally) ?? ConnectionSums()
        tally.merge(more)
        try put.run(
            Self.values(of: tally) + [Self.checksum(of: tally, at: place), place.hour, place.key]
        )
    }

    /// The values of ``columns``.
    private static func values(of tally: ConnectionSums) -> [(any StatementBinding)?] {
        uses.map { Int64(tally.uses[$0.rawValue] ?? 0) } + [Int64(tally.unverified)]
            + parts.map { Blob(octets: tally.times(of: $0.0).encoded()) }
    }

    /// Reads ``columns``; throws where they are no tally.
    private static func tally(_ row: BoundStatement) throws -> ConnectionSums {
        var tally = ConnectionSums()
        for (index, use) in uses.enumerated() {
            let times = try RollupTable.count(row.integer(Int32(index)))
            tally.count(use: use.rawValue, times: times)
        }
        tally.count(unverified: try RollupTable.count(row.integer(4)))
        for (index, part) in parts.enumerated() {
            tally.merge(try LatencySketch(decoding: row.blob(Int32(index + 5))), of: part.0)
        }
        return tally
    }

    private static func checksum(of tally: ConnectionSums, at place: RollupPlace) -> Int64 {
        var checksum = Checksum()
        checksum.add(values(of: tally) + [place.hour, place.key])
        return checksum.value
    }

    /// Goes through the rows of some hours beside their rollups, both in the order of hours and
    /// keys: most rollups have none, so that a join would cost each of them.
    struct Cursor: ~Copyable {
        private let rows: BoundStatement
        private var isOver: Bool

        /// Goes to the first row of hours that are counted from 1970.
        init(_ database: Database, _ hours: Range<Int64>) throws {
            let rows = try BoundStatement(
                database,
                """
                SELECT \(ConnectionTable.columns), hour, key, checksum FROM connection
                WHERE hour >= ? AND hour < ? ORDER BY hour, key
                """
            )
            rows.bind([hours.lowerBound, hours.upperBound])
            isOver = try !rows.step()
            self.rows = rows
        }

        /// The row beside a rollup, which comes after all that were asked for; where it is not as
        /// it was stored, `isIntact` is false.
        mutating func tally(
            at place: RollupPlace
        ) throws -> (tally: ConnectionSums, isIntact: Bool) {
            while !isOver, try (rows.integer(9), rows.integer(10)) < (place.hour, place.key) {
                isOver = try !rows.step()
            }
            guard !isOver, try rows.integer(9) == place.hour, try rows.integer(10) == place.key
            else {
                return (ConnectionSums(), true)
            }
            let tally = try ConnectionTable.tally(rows)
            return (tally, try ConnectionTable.checksum(of: tally, at: place) == rows.integer(11))
        }

        deinit { rows.reset() }
    }

    private static let mostHeld = 10_000

    /// Adds up what carried the samples of a store that did not yet keep it by the hour. Of hours
    /// whose samples were pruned it cannot be told any more.
    static func fill(_ database: Database) throws {
        let opened = """
            SELECT DISTINCT round FROM detail
            WHERE handshake IS NOT NULL OR connection IS NOT NULL OR words IS NOT NULL
            """
        let rounds = Set(try database.rows(opened) { try $0.integer(0) })
        guard !rounds.isEmpty else { return }
        let first = try database.integer("SELECT hour FROM pruning") ?? .min
        let sources = try RollupSources(database)
        let table = try ConnectionTable(database)
        let cursor = try SampleCursor(database)
        var tallies: [RollupPlace: ConnectionSums] = [:]
        try database.forEachRound(Store.Window()) { round in
            guard rounds.contains(round.row.id), round.row.marks.areCounted else { return }
            if tallies.count > mostHeld {
                try table.add(tallies)
                tallies = [:]
            }
            try cursor.read(round.row) { sample in
                let hour = sample.time.hourNumber
                guard sample.observation.extras != nil, hour >= first,
                    let (key, series) = sources.key(of: sample.probe, in: round.runRow)
                else { return }
                tallies[RollupPlace(hour: hour, key: key), default: ConnectionSums()]
                    .add(sample.observation, in: series)
            }
        }
        try table.add(tallies)
    }

    private func add(_ tallies: [RollupPlace: ConnectionSums]) throws {
        for (place, tally) in tallies { try add(tally, to: place) }
    }
}
