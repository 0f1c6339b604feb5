import SQLite
package import Samples
import Statistics

extension Store {
    /// The causes of changes in a window, as found when the changes were established; the newest first.
    package func causes(_ window: Window = Window()) throws(StoreError) -> [EstablishedCause] {
        try read { database in
            try EstablishedCause.rows(window, database).filter {
                window.contains(label: $0.target.label)
            }
        }
    }

    /// Stores causes. Only the first cause of a change is stored.
    package func note(_ causes: [EstablishedCause]) throws(StoreError) {
        try add(causes)
    }
}

extension EstablishedCause: TargetRow {
    static let table = "cause"
    static let names =
        ["hour", "kind", "word", "share", "evidence", "hours", "won", "total"]
        + parts.map(\.rawValue)

    /// The parts of a change that a row has, in the order of their columns.
    private static let parts: [ChangeCause] = [.line, .path, .cache, .connection, .resolver]

    var values: [(any StatementBinding)?] {
        [
            Int64(hour), kind.rawValue, finding.cause.rawValue, finding.share, finding.logEvidence,
            Int64(finding.units), Int64(finding.won), finding.total,
        ] + Self.parts.map { finding.parts[$0] }
    }

    func title(_ id: Int64) -> String {
        "the cause of a change at \(Timestamp(hourNumber: Int64(hour)))"
    }

    init(
        _ row: Statement,
        from vantage: String,
        _ target: Recording.Target
    ) throws(DatabaseError) {
        let (kind, word) = (try row.name(1), try row.name(2))
        guard let kind = LevelChange.Kind(rawValue: kind) else {
            throw .mismatch("there is no change '\(kind.cut(toCharacters: 40))'")
        }
        guard let word = ChangeCause(rawValue: word) else {
            throw .mismatch("there is no cause '\(word.cut(toCharacters: 40))'")
        }
        var finding = CauseFinding(cause: word)
        finding.share = try row.optionalDouble(3)
        finding.logEvidence = try row.double(4)
        finding.units = try row.count(5)
        finding.won = try row.count(6)
        finding.total = try row.optionalDouble(7)
        for (index, part) in Self.parts.enumerated() {
            finding.parts[part] = try row.optionalDouble(8 + Int32(index))
        }
        self.init(
            vantage: vantage,
            target: target,
            kind: kind,
            hour: try row.count(0),
            finding: finding
        )
    }

    static func rows(_ window: Store.Window, _ database: Database) throws -> [Self] {
        try rows(
            where: "hour BETWEEN ? AND ?",
            [window.since.hourNumber, window.until.hourNumber],
            latestBy: "hour",
            database
        )
    }
}
