import DNSWire
import GRDB
import Samples

/// Reads the rollups of whole hours.
struct RollupReader {
    /// What a rollup says but for its figures; none where it is not wanted.
    private let keys: [Int64: HourlySum]
    private let rows: BoundStatement
    private let database: Database

    init(_ window: Store.Window, _ database: Database) throws {
        self.database = database
        keys = try Self.keys(window, database)
        rows = try BoundStatement(
            database,
            """
            SELECT \(RollupTable.columns), hour, key FROM rollup
            WHERE hour >= ? AND hour < ? ORDER BY hour, key
            """
        )
    }

    /// Hands the rollups of some hours, counted from 1970, to `body`, in their order.
    func read(_ hours: Range<Int64>, _ body: (HourlySum) throws -> Void) throws {
        rows.bind(hours.lowerBound, at: 1)
        rows.bind(hours.upperBound, at: 2)
        defer { rows.reset() }
        var connections = try ConnectionTable.Cursor(database)
        try connections.begin(hours)
        while try rows.step() {
            let place = RollupPlace(hour: try rows.integer(15), key: try rows.integer(16))
            guard var rollup = keys[place.key] else { continue }
            let tally = try RollupTable.tally(rows)
            rollup.hour = Timestamp(hourNumber: place.hour)
            rollup.counts = tally.counts
            rollup.latency = tally.latency
            rollup.connections = try connections.tally(at: place).tally
            try body(rollup)
        }
    }

    private static func keys(
        _ window: Store.Window,
        _ database: Database
    ) throws -> [Int64: HourlySum] {
        let rows = try BoundStatement(
            database,
            """
            SELECT rollup_key.id, label, transport, address, series, vantage.name, type, timeout,
                origin
            FROM rollup_key JOIN vantage ON vantage.id = vantage JOIN target ON target.id = target
                JOIN endpoint ON endpoint.id = endpoint
            """
        )
        defer { rows.reset() }
        var keys: [Int64: HourlySum] = [:]
        while try rows.step() {
            let origin = UInt8(truncatingIfNeeded: try rows.integer(8))
            let target = try Recording.Target(rows, from: 1)
            guard window.contains(origin), window.contains(label: target.label) else { continue }
            keys[try rows.integer(0)] = HourlySum(
                vantage: try rows.name(5),
                target: target,
                type: try RecordType(rows, 6),
                timeout: .nanoseconds(try rows.integer(7)),
                origin: Run.Origin(rawValue: origin) ?? .imported,
                hour: Timestamp(nanoseconds: 0)
            )
        }
        return keys
    }
}

/// Which rollup a sample belongs to.
struct RollupSources {
    private var keys: [RollupKey: Int64] = [:]
    private var names: [Int64: String] = [:]
    private var probes: [Int64: (target: Int64, type: UInt16, series: Series)] = [:]

    init(_ database: Database) throws {
        let rows = try BoundStatement(
            database,
            """
            SELECT rollup_key.id, vantage, target, type, timeout, origin, label, vantage.name
            FROM rollup_key JOIN target ON target.id = target
                JOIN vantage ON vantage.id = vantage
            """
        )
        defer { rows.reset() }
        while try rows.step() {
            let id = try rows.integer(0)
            let key = RollupKey(
                vantage: try rows.integer(1),
                target: try rows.integer(2),
                type: try RecordType(rows, 3).rawValue,
                timeout: try rows.integer(4),
                origin: UInt8(truncatingIfNeeded: try rows.integer(5))
            )
            keys[key] = id
            let (label, vantage) = try (rows.name(6), rows.name(7))
            names[id] = "\(label), \(RecordType(rawValue: key.type)), from \(vantage)"
        }
        let pairs = try BoundStatement(
            database,
            """
            SELECT probe.id, target, type, series FROM probe
                JOIN question ON question.id = question JOIN target ON target.id = target
            """
        )
        defer { pairs.reset() }
        while try pairs.step() {
            probes[try pairs.integer(0)] = (
                try pairs.integer(1), try RecordType(pairs, 2).rawValue, try Series(pairs, 3)
            )
        }
    }

    /// Where a sample is added up, and how its time counts.
    func key(of probe: Int64, in entry: RunTable.Entry) -> (key: Int64, series: Series)? {
        guard let (target, type, series) = probes[probe] else { return nil }
        let key = keys[
            RollupKey(
                vantage: entry.vantage,
                target: target,
                type: type,
                timeout: entry.run.timeout.nanoseconds,
                origin: entry.run.origin.rawValue
            )
        ]
        return key.map { ($0, series) }
    }

    /// Such as `home, A, from here at 2026-11-21T03:00:00.000000Z`.
    func name(of place: RollupPlace) -> String {
        let name = names[place.key] ?? "an unknown resolver"
        return "\(name) at \(Timestamp(hourNumber: place.hour))"
    }
}
