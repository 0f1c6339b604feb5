import DNSWire
import GRDB
import Measurement

/// Which rollup a sample belongs to.
struct RollupSources {
    private var keys: [RollupKey: Int64] = [:]
    private var names: [Int64: String] = [:]
    private var probes: [Int64: (target: Int64, type: UInt16, series: Series)] = [:]

    init(_ database: Database) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT rollup_key.id, vantage, target, type, timeout, origin, label, vantage.name
                FROM rollup_key JOIN target ON target.id = target
                    JOIN vantage ON vantage.id = vantage
                """
        )
        while let row = try rows.next() {
            let key = RollupKey(
                vantage: row[1],
                target: row[2],
                type: UInt16(truncatingIfNeeded: row[3] as Int64),
                timeout: row[4],
                origin: UInt8(truncatingIfNeeded: row[5] as Int64)
            )
            let (label, vantage): (String, String) = (row[6], row[7])
            keys[key] = row[0]
            names[row[0]] = "\(label), \(RecordType(rawValue: key.type)), from \(vantage)"
        }
        let pairs = try Row.fetchCursor(
            database,
            sql: """
                SELECT probe.id, target, type, series FROM probe
                    JOIN question ON question.id = question JOIN target ON target.id = target
                """
        )
        while let row = try pairs.next() {
            let series = Series(rawValue: UInt8(truncatingIfNeeded: row[3] as Int64))
            probes[row[0]] = (
                row[1], UInt16(truncatingIfNeeded: row[2] as Int64), series ?? .cached
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
                timeout: entry.run.recordingRun.timeout.nanoseconds,
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
