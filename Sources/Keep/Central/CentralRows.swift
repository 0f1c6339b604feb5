import CPostgreSQL
import Failures
import Store

/// The rows that a statement returned.
package struct CentralRows: Sendable {
    /// All values one after the other, and the end of each value; `nil` stands for NULL.
    private var data: [UInt8] = []
    private var ends: [Int?] = []
    private var starts: [Int] = []
    private var fields = 0
    package private(set) var count = 0

    init() {}

    /// The memory of the rows, in bytes. A NULL, which takes four bytes, costs as much as any other value.
    var cost: Int { data.count + starts.count * Self.costOfValue }
    private static let costOfValue = MemoryLayout<Int>.stride + MemoryLayout<Int?>.stride

    /// Adds the rows of a result. Returns false if their columns differ from the columns of earlier rows.
    mutating func add(_ result: OpaquePointer) -> Bool {
        let rows = unsafe PQntuples(result)
        let columns = unsafe PQnfields(result)
        guard rows > 0 else { return true }
        guard count == 0 || fields == Int(columns) else { return false }
        count += Int(rows)
        fields = Int(columns)
        for row in 0..<rows {
            for field in 0..<columns {
                starts.append(data.count)
                guard unsafe PQgetisnull(result, row, field) == 0,
                    let start = unsafe PQgetvalue(result, row, field)
                else {
                    ends.append(nil)
                    continue
                }
                let count = Int(unsafe PQgetlength(result, row, field))
                unsafe data.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
                ends.append(data.count)
            }
        }
        return true
    }

    private func range(_ row: Int, _ column: Int) -> Range<Int>? {
        let place = row * fields + column
        guard column < fields, starts.indices.contains(place), let end = ends[place] else {
            return nil
        }
        return starts[place]..<end
    }

    /// The value of a column of type int8; `nil` for NULL and for any other type.
    package func integer(_ row: Int, _ column: Int) -> Int64? {
        guard let range = range(row, column), range.count == 8 else { return nil }
        return data[range].reduce(0) { $0 << 8 | Int64($1) }
    }

    package func text(_ row: Int, _ column: Int) -> String? {
        range(row, column).map { String(decoding: data[$0], as: UTF8.self) }
    }

    package func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        range(row, column).map { Array(data[$0]) }
    }

    /// The rows of each source, in order. The first column contains the number of the source.
    var rangesOfSources: [(source: Int64, rows: Range<Int>)] {
        var ranges: [(source: Int64, rows: Range<Int>)] = []
        for row in 0..<count {
            guard let source = integer(row, 0) else { continue }
            if ranges.last?.source == source {
                ranges[ranges.count - 1].rows = ranges[ranges.count - 1].rows.lowerBound..<(row + 1)
            } else {
                ranges.append((source, row..<(row + 1)))
            }
        }
        return ranges
    }

    /// Some rows as rows of a table. The columns of the table begin at the second column.
    func rows(_ rows: Range<Int>, of table: StoredTable) throws -> [StoredRow] {
        try rows.map { row in
            try table.columns.enumerated().map { try value($1.kind, row, $0 + 1) }
        }
    }

    func value(
        _ kind: StoredTable.Kind,
        _ row: Int,
        _ column: Int
    ) throws(CentralError) -> StoredValue {
        switch kind {
        case .text: return StoredValue(text(row, column))
        case .blob: return StoredValue(bytes(row, column))
        case .integer, .real:
            guard range(row, column) != nil else { return .null }
            guard let word = integer(row, column) else {
                throw CentralError(.badData, "the central store has a value of another type")
            }
            return kind == .integer
                ? .integer(word) : .real(Double(bitPattern: UInt64(bitPattern: word)))
        }
    }
}
