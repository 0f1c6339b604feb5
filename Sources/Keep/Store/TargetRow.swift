import SQLite
import Samples

/// A row about one resolver at one vantage point, with a checksum of its values.
protocol TargetRow {
    static var table: String { get }
    /// The columns except vantage point, target and checksum, in the order of the checksum.
    static var names: [String] { get }
    /// An SQL expression: the object to which a row refers by name exists. `fault` describes a missing
    /// object.
    static var reference: (isThere: String, fault: String) { get }
    /// An SQL expression for the number of a row; 0 if rows have no number.
    static var id: String { get }

    var vantage: String { get }
    var target: Recording.Target { get }
    /// The values of ``names``.
    var values: [(any StatementBinding)?] { get }
    /// The name of the row in a finding. `id` is its ``id``.
    func title(_ id: Int64) -> String

    /// Reads ``names``, which are the first columns of a row.
    init(_ row: Statement, from vantage: String, _ target: Recording.Target) throws(DatabaseError)
}

extension Store {
    /// Stores rows. Only the first row of a key is stored.
    func add(_ rows: [some TargetRow]) throws(StoreError) {
        guard !rows.isEmpty else { return }
        try write { context in
            for row in rows { try row.add(to: &context) }
        }
    }
}

extension TargetRow {
    /// The maximum number of rows that are read, from any store. A resolver has a few rows per year, or at
    /// most one per hour.
    static var most: Int { 10_000 }

    static var reference: (isThere: String, fault: String) { ("1", "") }

    static var id: String { "0" }

    fileprivate func add(to context: inout WriteContext) throws {
        let numbers = [try context.number(of: .vantage(vantage)), try context.number(of: target)]
        let columns = ["vantage", "target"] + Self.names + ["checksum"]
        try context.database.run(
            Database.insertion(of: columns, into: Self.table, "INSERT OR IGNORE"),
            numbers.map { $0 } + values + [checksum(numbers)]
        )
    }

    private func checksum(_ numbers: [Int64]) -> Int64 {
        Checksum.value(of: numbers.map { $0 } + values)
    }

    /// The rows that meet `condition`, sorted by `time`, the latest first.
    static func rows(
        where condition: String,
        _ bounds: [(any StatementBinding)?],
        latestBy time: String,
        atMost most: Int = Self.most,
        _ database: Database
    ) throws -> [Self] {
        try database.rows(
            selection + " WHERE \(condition) ORDER BY \(time) DESC LIMIT \(most)",
            bounds
        ) { try read($0) }
    }

    /// Describes the rows that are not as they were stored, or that refer to a missing object.
    static func findings(_ database: Database) throws -> [String] {
        var findings: [String] = []
        let next = Int32(names.count)
        try database.forEachRow(selection) { row in
            let kept = try read(row)
            let title = kept.title(try row.integer(next + 9))
            let numbers = [try row.integer(next + 5), try row.integer(next + 6)]
            if try kept.checksum(numbers) != row.integer(next + 7) {
                findings.append("\(title) is not as it was stored")
            } else if try row.integer(next + 8) == 0 {
                findings.append("\(title) \(reference.fault)")
            }
        }
        return findings
    }

    private static var selection: String {
        let columns =
            names.map { "\(table).\($0)" } + [
                Recording.Target.columns, "vantage.name", "\(table).vantage", "\(table).target",
                "checksum", reference.isThere, id,
            ]
        return """
            SELECT \(columns.joined(separator: ", "))
            FROM \(table) JOIN vantage ON vantage.id = vantage \(Recording.Target.join)
            """
    }

    private static func read(_ row: Statement) throws(DatabaseError) -> Self {
        let next = Int32(names.count)
        let target = try Recording.Target(row, from: next)
        return try Self(row, from: row.name(next + 4), target)
    }
}
