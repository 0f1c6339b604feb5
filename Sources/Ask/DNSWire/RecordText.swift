/// The data of records in presentation form (RFC 1035 §5.1) and one spelling, whoever wrote it: names are
/// in lower case (RFC 4034 §6.2), so that data that is the same reads the same.
package enum RecordText {
    /// More than anybody writes.
    package static let longest = 4096

    /// That spelling of `text`, which is meant as the data of a record of `type`; `nil` where it is none.
    package static func data(_ text: String, of type: RecordType) -> String? {
        guard text.utf8.count <= longest, !text.utf8.contains(0), !text.contains("\n"),
            let record = LDNSRecord(text: text, type: type)
        else { return nil }
        return record.canonicalData()
    }

    /// Data of whose fields nothing is known (RFC 3597 §5).
    static func unknown(_ octets: [UInt8]) -> String {
        "\\# \(octets.count) \(octets.hexadecimal)"
    }
}

extension Sequence<UInt8> {
    /// Two lower-case digits for each octet.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
