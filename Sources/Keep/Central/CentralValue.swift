package import Store

/// A value of a statement in PostgreSQL's binary form; of an array each element a row.
package enum CentralValue {
    case integer(Int64?)
    case text(String?)
    case octets([UInt8]?)
    case list(StoredValues)

    var type: UInt32 {
        switch self {
        case .integer: 20
        case .text: 25
        case .octets: 17
        case .list(.integers): 1016
        case .list(.reals): 1022
        case .list(.texts): 1009
        case .list(.blobs): 1001
        }
    }

    /// `nil` for NULL.
    var octets: [UInt8]? {
        switch self {
        case .integer(let value): value.map { $0.bigEndianOctets }
        case .text(let value): value.map { Self.sound($0) }
        case .octets(let value): value
        case .list(.integers(let values)):
            Self.array(values.map { $0?.bigEndianOctets }, of: 20)
        case .list(.reals(let values)):
            Self.array(values.map { $0?.bitPattern.bigEndianOctets }, of: 701)
        case .list(.texts(let values)): Self.array(values.map { $0.map(Self.sound) }, of: 25)
        case .list(.blobs(let values)): Self.array(values, of: 17)
        }
    }

    /// PostgreSQL's texts have no NUL.
    private static func sound(_ text: String) -> [UInt8] {
        text.utf8.contains(0)
            ? Array(text.replacing("\0", with: "\u{fffd}").utf8) : Array(text.utf8)
    }

    /// One dimension, from 1 on (src/backend/utils/adt/arrayfuncs.c, array_recv).
    private static func array(_ values: [[UInt8]?], of type: UInt32) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(20 + values.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        func add(_ number: UInt32) { octets += number.bigEndianOctets }
        add(values.isEmpty ? 0 : 1)
        add(values.contains { $0 == nil } ? 1 : 0)
        add(type)
        if !values.isEmpty {
            add(UInt32(clamping: values.count))
            add(1)
        }
        for value in values {
            add(value.map { UInt32(clamping: $0.count) } ?? .max)
            octets += value ?? []
        }
        return octets
    }
}

extension FixedWidthInteger {
    fileprivate var bigEndianOctets: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8)
            .map { UInt8(truncatingIfNeeded: self >> Self($0)) }
    }
}
