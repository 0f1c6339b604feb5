/// The data of records in presentation form (RFC 1035 §5.1) and in one canonical spelling. Names
/// are in lower case (RFC 4034 §6.2), so that equal data has equal text.
package enum RecordText {
    /// The maximum length of a text, more than users write.
    package static let longest = 4096

    /// The canonical spelling of `text` as data of a record of `type`; `nil` if it is not valid
    /// data.
    package static func data(_ text: String, of type: RecordType) -> String? {
        guard text.utf8.count <= longest, !text.utf8.contains(0), !text.contains("\n"),
            let record = LDNSRecord(text: text, type: type)
        else { return nil }
        return record.canonicalData()
    }

    /// Data with unknown fields (RFC 3597 §5).
    static func unknown(_ bytes: [UInt8]) -> String {
        "\\# \(bytes.count) \(bytes.hexadecimal)"
    }
}

extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
