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
        let digits = octets.map { octet in
            let text = String(octet, radix: 16)
            return octet < 16 ? "0\(text)" : text
        }
        return "\\# \(octets.count) \(digits.joined())"
    }
}
