import SQLite
package import Samples
import Statistics

extension Store {
    /// The causes of changes in a window, as they were found when these were established; the newest
    /// first.
    package func causes(_ window: Window = Window()) throws(StoreError) -> [EstablishedCause] {
        try read { database in
            try CauseTable.rows(window, database).filter { window.contains(label: $0.target.label) }
        }
    }

    /// Keeps causes in mind; of one change the first counts.
    package func note(_ causes: [EstablishedCause]) throws(StoreError) {
        guard !causes.isEmpty else { return }
        try write { context in
            for cause in causes { try CauseTable.add(cause, to: &context) }
        }
    }
}

/// The rows of causes, each with a checksum of what it says.
enum CauseTable {
    /// The parts of a change that a row has, in the order of their columns.
    private static let parts: [ChangeCause] = [.line, .path, .cache, .connection, .resolver]
    /// So many are read, whoever wrote the store: a resolver has a few in a year.
    static let most = 10_000

    static func add(_ cause: EstablishedCause, to context: inout WriteContext) throws {
        let place = try context.number(of: .vantage(cause.vantage))
        let target = try context.number(of: cause.target)
        let finding = cause.finding
        let sum = checksum([place, target, Int64(cause.hour)], cause)
        try context.database.run(
            """
            INSERT OR IGNORE INTO cause (vantage, target, kind, hour, word, share, evidence, hours,
                won, total, line, path, cache, connection, resolver, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                place, target, cause.kind.rawValue, Int64(cause.hour), finding.cause.rawValue,
                finding.share, finding.logEvidence, Int64(finding.units), Int64(finding.won),
                finding.total,
            ] + parts.map { finding.parts[$0] } + [sum]
        )
    }

    static func rows(_ window: Store.Window, _ database: Database) throws -> [EstablishedCause] {
        try database.rows(
            selection + " WHERE hour BETWEEN ? AND ? ORDER BY hour DESC LIMIT \(most)",
            [window.since.hourNumber, window.until.hourNumber]
        ) { try cause($0) }
    }

    /// Rows that are not as they were stored.
    static func findings(_ database: Database) throws -> [String] {
        var findings: [String] = []
        try database.forEachRow(selection) { row in
            let cause = try cause(row)
            let sum = try checksum((18..<21).map { try row.integer($0) }, cause)
            guard try sum != row.integer(21) else { return }
            let since = Timestamp(hourNumber: Int64(cause.hour))
            findings.append("the cause of a change at \(since) is not as it was stored")
        }
        return findings
    }

    private static let selection = """
        SELECT label, transport, address, series, name, kind, hour, word, share, evidence, hours,
            won, total, line, path, cache, connection, resolver, vantage, target, hour, checksum
        FROM cause JOIN vantage ON vantage.id = vantage
            JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint
        """

    private static func cause(_ row: Statement) throws(DatabaseError) -> EstablishedCause {
        let (kind, word) = (try row.name(5), try row.name(7))
        guard let kind = LevelChange.Kind(rawValue: kind) else {
            throw .mismatch("there is no change '\(kind.cut(toCharacters: 40))'")
        }
        guard let word = ChangeCause(rawValue: word) else {
            throw .mismatch("there is no cause '\(word.cut(toCharacters: 40))'")
        }
        var finding = CauseFinding(cause: word)
        finding.share = try row.optionalDouble(8)
        finding.logEvidence = try row.double(9)
        finding.units = try row.count(10)
        finding.won = try row.count(11)
        finding.total = try row.optionalDouble(12)
        for (index, part) in parts.enumerated() {
            finding.parts[part] = try row.optionalDouble(13 + Int32(index))
        }
        return EstablishedCause(
            vantage: try row.name(4),
            target: try Recording.Target(row, from: 0),
            kind: kind,
            hour: try row.count(6),
            finding: finding
        )
    }

    private static func checksum(_ numbers: [Int64], _ cause: EstablishedCause) -> Int64 {
        let finding = cause.finding
        return Checksum.value(
            of: numbers.map { $0 } + [
                cause.kind.rawValue, finding.cause.rawValue, finding.share, finding.logEvidence,
                Int64(finding.units), Int64(finding.won), finding.total,
            ] + parts.map { finding.parts[$0] }
        )
    }
}
