/// A message of Protocol Buffers ("Encoding"), written field by field. A field with its default value is
/// omitted, except for a field with explicit presence (an `optional` field).
package struct EncodedMessage: Hashable, Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Begins with fields that are already encoded, because fields may have any order. Reserves space for
    /// `more` further bytes.
    package init(_ bytes: [UInt8], reserving more: Int) {
        self.bytes.reserveCapacity(bytes.count + more)
        self.bytes += bytes
    }

    /// Adds a number of an unsigned type such as `uint32`, or of an enum.
    package mutating func add(_ value: some UnsignedInteger, as field: Int) {
        if value > 0 { addAlways(UInt64(value), as: field) }
    }

    /// Adds a number, even if it is 0.
    package mutating func addAlways(_ value: UInt64, as field: Int) {
        add(field, .varint)
        add(varint: value)
    }

    /// Adds a number of type `int64`.
    package mutating func add(plain value: Int64, as field: Int) {
        add(UInt64(bitPattern: value), as: field)
    }

    /// Adds a number of type `sint64` or `sint32`.
    package mutating func add(_ value: Int64, as field: Int) { add(value.zigzag, as: field) }

    /// Adds an optional number of type `sint64` or `sint32`, unless it is `nil`.
    package mutating func add(optional value: Int64?, as field: Int) {
        if let value { addAlways(value.zigzag, as: field) }
    }

    package mutating func add(fixed value: UInt32, as field: Int) {
        add(field, .fixed32)
        add(bytesOf: value)
    }

    /// Adds a number of type `fixed64`.
    package mutating func add(fixed64 value: UInt64, as field: Int) {
        guard value != 0 else { return }
        add(field, .fixed64)
        add(bytesOf: value)
    }

    package mutating func add(_ value: Double, as field: Int) {
        add(fixed64: value.bitPattern, as: field)
    }

    package mutating func add(_ text: String, as field: Int) {
        if !text.isEmpty { add(Array(text.utf8).span, as: field) }
    }

    /// Adds bytes, or an encoded message. The field is present even if it is empty.
    package mutating func add(_ value: Span<UInt8>, as field: Int) {
        add(field, .bytes)
        add(varint: UInt64(value.count))
        unsafe value.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    package mutating func add(_ message: EncodedMessage, as field: Int) {
        add(message.bytes.span, as: field)
    }

    /// Adds packed numbers of type `sint64`.
    package mutating func add(packed values: [Int64], as field: Int) {
        add(packedUnsigned: values.map(\.zigzag), as: field)
    }

    /// Adds packed numbers of type `uint64`.
    package mutating func add(packedUnsigned values: [UInt64], as field: Int) {
        guard !values.isEmpty else { return }
        var packed = EncodedMessage()
        for value in values { packed.add(varint: value) }
        add(packed, as: field)
    }

    private mutating func add(_ field: Int, _ type: WireType) {
        add(varint: UInt64(field) << 3 | UInt64(type.rawValue))
    }

    private mutating func add(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func add<Value: FixedWidthInteger>(bytesOf value: Value) {
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
        }
    }
}

/// The encoding of a field's value.
enum WireType: UInt8 {
    case varint = 0
    case fixed64 = 1
    case bytes = 2
    case fixed32 = 5
}

extension Int64 {
    fileprivate var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }
}
