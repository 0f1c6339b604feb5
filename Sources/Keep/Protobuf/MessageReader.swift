/// Reads a message of Protocol Buffers ("Encoding") field by field. The input may contain any bytes.
package struct MessageReader {
    /// The bytes are not a valid message, or the message uses groups, which are obsolete.
    package struct Fault: Error {
        package init() {}
    }

    /// A field's value with the encoding of its type. A property for another type returns `nil`.
    package enum Value: Equatable {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes(ArraySlice<UInt8>)

        /// The number of an unsigned type or of an enum.
        package var number: UInt64? { if case .varint(let value) = self { value } else { nil } }

        /// The number of type `sint64`.
        package var signed: Int64? {
            number.map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
        }

        package var fixed: UInt32? { if case .fixed32(let value) = self { value } else { nil } }

        package var bytes: ArraySlice<UInt8>? {
            if case .bytes(let bytes) = self { bytes } else { nil }
        }
    }

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next field; `nil` at the end.
    package mutating func next() throws(Fault) -> (field: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        guard let type = WireType(rawValue: UInt8(tag & 7)), tag >> 3 > 0 else { throw Fault() }
        let value: Value =
            switch type {
            case .varint: .varint(try varint())
            case .fixed64: .fixed64(try number())
            case .fixed32: .fixed32(try number())
            case .bytes: .bytes(try take(varint()))
            }
        return (tag >> 3, value)
    }

    private mutating func varint() throws(Fault) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { break }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        throw Fault()
    }

    private mutating func take(_ count: UInt64) throws(Fault) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Fault() }
        let bytes = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return bytes
    }

    private mutating func number<Number: FixedWidthInteger>() throws(Fault) -> Number {
        try take(UInt64(Number.bitWidth / 8)).reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
