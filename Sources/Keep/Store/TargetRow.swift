import SQLite
import Samples

/// What a table keeps of one resolver at one place, each row with a checksum of what it says.
protocol TargetRow {
    static var table: String { get }
    /// The columns but for place, target and checksum, in the order in which the checksum has them.
    static var names: [String] { get }
    /// Whether what a row refers to by name is there, as an expression of SQL, and the fault where it is
    /// not.
    static var reference: (isThere: String, fault: String) { get }
    /// The number of a row, as an expression of SQL; 0 where rows have none.
    static var id: String { get }

    var vantage: String { get }
    var target: Recording.Target { get }
    /// The values of ``names``.
    var values: [(any StatementBinding)?] { get }
    /// The name of the row for a finding, by its ``id``.
    func title(_ id: Int64) -> String

    /// Reads ``names``, which a row begins with.
    init(_ row: Statement, from vantage: String, _ target: Recording.Target) throws(DatabaseError)
}

extension Store {
    /// Keeps rows in mind; of one key the first counts.
    func add(_ rows: [some TargetRow]) throws(StoreError) {
        guard !rows.isEmpty else { return }
        try write { context in
            for row in rows { try row.add(to: &context) }
        }
    }
}

extension TargetRow {
    /// So many are read, whoever wrote the store: a resolver has a few in a year, or one an hour at most.
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

    /// The rows of which `condition` holds, the latest by `time` first.
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

    /// Rows that are not as they were stored, or refer to something that is not there.
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
