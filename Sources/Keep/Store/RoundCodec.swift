import SQLite
import Samples

/// Encodes the samples of a round in few bytes, with the columns of the tables `sample` and `detail`.
///
/// The first byte is the form. Integers of 7 bits per byte follow, the lowest bits first (LEB128):
///
/// - The number of columns of `sample` (except round and position), the number of columns of `detail`, and
///   the number of samples.
/// - For each sample, a mask with one bit per column that has a value, XORed with the mask of the sample
///   before. The bit after those of `sample` shows whether the sample has a detail.
/// - After the mask of a sample, its values. Negative values use zigzag encoding. `scheduled` is the
///   difference from the sample before.
enum RoundCodec {
    static let form: UInt8 = 1
    /// More samples than a round can have.
    static let mostSamples = 1_000_000

    static let fault = DatabaseError.mismatch("the samples of a round are not as they were packed")

    /// The values of a row of `sample`, and of its row of `detail` if it has one.
    struct Row: Hashable {
        var sample: [Int64?]
        var detail: [Int64?]?
    }

    static func pack(_ rows: [Row]) -> [UInt8] {
        var bytes = [form]
        for number in [sampleColumns, detailColumns, rows.count] {
            add(UInt64(number), to: &bytes)
        }
        var (mask, scheduled): (UInt64, Int64) = (0, 0)
        for row in rows {
            let values = row.sample + [row.detail == nil ? nil : 0] + (row.detail ?? [])
            let present = values.enumerated().reduce(0 as UInt64) { bits, value in
                value.element == nil ? bits : bits | 1 << UInt64(value.offset)
            }
            add(present ^ mask, to: &bytes)
            mask = present
            for (column, value) in values.enumerated() {
                guard let value, column != sampleColumns else { continue }
                if column == scheduledColumn {
                    add(signed: value &- scheduled, to: &bytes)
                    scheduled = value
                } else {
                    add(signed: value, to: &bytes)
                }
            }
        }
        return bytes
    }

    /// The indices of columns within those of `sample`.
    static let (scheduledColumn, sentColumn, roundTripColumn, stateColumn) = (1, 2, 4, 5)
    private static let sampleColumns = Observation.columns.count
    private static let detailColumns = Observation.Extras.columns.count

    /// Unpacks samples that ``pack(_:)`` packed; `samples` is their number. An older version may have packed
    /// fewer columns. The missing columns are `nil`.
    static func unpack(_ bytes: [UInt8], samples: Int64) throws -> [Row] {
        var rest = bytes[...]
        guard rest.popFirst() == form else { throw fault }
        let (own, details) = (try number(&rest), try number(&rest))
        let count = try number(&rest)
        guard own <= sampleColumns, details <= detailColumns, own > scheduledColumn,
            count <= mostSamples, count <= rest.count, Int64(count) == samples
        else { throw fault }
        var rows: [Row] = []
        rows.reserveCapacity(Int(count))
        var (mask, scheduled): (UInt64, Int64) = (0, 0)
        for _ in 0..<count {
            mask ^= try number(&rest)
            guard mask >> (own + 1 + details) == 0 else { throw fault }
            var row = Row(sample: [Int64?](repeating: nil, count: sampleColumns))
            if mask & 1 << own != 0 {
                row.detail = [Int64?](repeating: nil, count: detailColumns)
            } else if mask >> own != 0 {
                throw fault
            }
            for column in 0..<Int(own) where mask & 1 << UInt64(column) != 0 {
                let value = try signed(&rest)
                if column == scheduledColumn {
                    scheduled = scheduled &+ value
                    row.sample[column] = scheduled
                } else {
                    row.sample[column] = value
                }
            }
            for column in 0..<Int(details) where mask & 1 << (own + 1 + UInt64(column)) != 0 {
                row.detail?[column] = try signed(&rest)
            }
            rows.append(row)
        }
        guard rest.isEmpty else { throw fault }
        return rows
    }

    /// Adds a signed number.
    static func add(signed value: Int64, to bytes: inout [UInt8]) {
        add(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
    }

    /// Removes and returns a number that ``add(signed:to:)`` added.
    static func signed(_ rest: inout ArraySlice<UInt8>) throws -> Int64 {
        let number = try number(&rest)
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    private static func add(_ number: UInt64, to bytes: inout [UInt8]) {
        var number = number
        while number > 127 {
            bytes.append(UInt8(truncatingIfNeeded: number) | 128)
            number >>= 7
        }
        bytes.append(UInt8(number))
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
            guard let byte = rest.popFirst(), shift < 63 || byte < 2 else { throw fault }
            number |= UInt64(byte & 127) << shift
            if byte < 128 { return number }
        }
        throw fault
    }
}

/// Packs the samples of a store's rounds.
struct RoundPacker {
    private let samples: SampleRows
    private let references: (sample: [Reference], detail: [Reference])

    /// A column that refers to a numbered table.
    private typealias Reference = (column: Int, table: String)

    init(_ database: Database) throws {
        func references(of table: String, _ columns: [String]) throws -> [Reference] {
            let references = try Schema.table(table, database).references
            return columns.enumerated().compactMap { place, name in
                references[name].map { (place, $0) }
            }
        }
        samples = try SampleRows(database)
        self.references = try (
            references(of: "sample", Observation.columns),
            references(of: "detail", Observation.Extras.columns)
        )
    }

    /// Packs the samples of a round, and notes the rows to which they refer.
    func pack(
        _ round: Int64,
        _ noted: inout StoredReferences
    ) throws -> (bytes: [UInt8], count: Int) {
        var rows: [RoundCodec.Row] = []
        try samples.forEach(of: round) { row, detail in
            guard try row.integer(0) == Int64(rows.count) else {
                throw DatabaseError.mismatch("a round's samples are not numbered one by one")
            }
            let sample = try Self.values(row, Observation.columns.count)
            let details = try detail.map { try Self.values($0, Observation.Extras.columns.count) }
            for (place, table) in references.sample { noted.add(sample[place], of: table) }
            if let details {
                for (place, table) in references.detail { noted.add(details[place], of: table) }
            }
            rows.append(RoundCodec.Row(sample: sample, detail: details))
        }
        return (RoundCodec.pack(rows), rows.count)
    }

    private static func values(_ row: Statement, _ count: Int) throws -> [Int64?] {
        try (1...Int32(count)).map { try row.optionalInteger($0) }
    }
}
