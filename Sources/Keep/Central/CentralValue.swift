package import Store

/// A parameter of a statement in PostgreSQL's binary form: one value, or an array with one element per row.
package enum CentralValue {
    case one(StoredTable.Kind, StoredValue)
    case list(StoredTable.Kind, [StoredValue])

    package static func integer(_ value: Int64?) -> Self { .one(.integer, StoredValue(value)) }
    static func text(_ value: String?) -> Self { .one(.text, StoredValue(value)) }
    static func bytes(_ value: [UInt8]?) -> Self { .one(.blob, StoredValue(value)) }

    /// The values of rows, as one list per column of their table.
    static func lists(_ rows: [StoredRow], of table: StoredTable) -> [Self] {
        table.columns.enumerated().map { place, column in
            .list(column.kind, rows.map { $0[place] })
        }
    }

    var type: UInt32 {
        switch self {
        case .one(let kind, _): kind.type.number
        case .list(let kind, _): kind.type.ofLists
        }
    }

    /// The bytes of the value; `nil` for NULL.
    var bytes: [UInt8]? {
        switch self {
        case .one(_, let value): value.bytes
        case .list(let kind, let values): Self.array(values.map(\.bytes), of: kind.type.number)
        }
    }

    /// An array with one dimension that begins at 1 (src/backend/utils/adt/arrayfuncs.c, array_recv).
    private static func array(_ values: [[UInt8]?], of type: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + values.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        func add(_ number: UInt32) { bytes += number.bigEndianBytes }
        add(values.isEmpty ? 0 : 1)
        add(values.contains { $0 == nil } ? 1 : 0)
        add(type)
        if !values.isEmpty {
            add(UInt32(clamping: values.count))
            add(1)
        }
        for value in values {
            add(value.map { UInt32(clamping: $0.count) } ?? .max)
            bytes += value ?? []
        }
        return bytes
    }
}

extension StoredTable.Kind {
    /// The PostgreSQL type: its name, its number, and the number of its array type.
    var type: (name: String, number: UInt32, ofLists: UInt32) {
        switch self {
        case .integer: ("bigint", 20, 1016)
        case .real: ("double precision", 701, 1022)
        case .text: ("text", 25, 1009)
        case .blob: ("bytea", 17, 1001)
        }
    }
}

extension StoredValue {
    fileprivate var bytes: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let value): value.bigEndianBytes
        case .real(let value): value.bitPattern.bigEndianBytes
        // A text in PostgreSQL cannot contain NUL.
        case .text(let text):
            Array((text.utf8.contains(0) ? text.replacing("\0", with: "\u{fffd}") : text).utf8)
        case .blob(let bytes): bytes
        }
    }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe Array($0) }
    }
}
