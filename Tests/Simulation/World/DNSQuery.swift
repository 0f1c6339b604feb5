/// A query as a resolver reads it (RFC 1035 §4.1). Independent from the program's own reader and writer of messages,
/// so that both cannot have the same error.
struct DNSQuery {
    let id: UInt16
    /// The name in lower case, without the last dot.
    let name: String
    /// Whether the name exists.
    let isKnown: Bool
    /// The question with its name as it was sent.
    private let question: [UInt8]

    static let names = ["example.com", "example.net", "example.org"]

    init?(_ message: [UInt8]) {
        guard message.count > 16, message[2] & 0x80 == 0 else { return nil }
        id = UInt16(message[0]) << 8 | UInt16(message[1])
        var labels: [String] = []
        var place = 12
        while place < message.count, message[place] != 0 {
            let end = place + 1 + Int(message[place])
            guard message[place] < 64, end < message.count else { return nil }
            labels.append(String(decoding: message[(place + 1)..<end], as: UTF8.self).lowercased())
            place = end
        }
        guard place + 5 <= message.count else { return nil }
        name = labels.joined(separator: ".")
        isKnown = Self.names.contains(name)
        question = Array(message[12..<(place + 5)])
    }

    /// An answer with one address, or with the response code of a failure.
    func answer(
        id: UInt16? = nil,
        name: String? = nil,
        code: UInt8 = 0,
        isTruncated: Bool = false
    ) -> [UInt8] {
        let id = id ?? self.id
        let noSuchName: UInt8 = 3
        let code = code == 0 && !isKnown ? noSuchName : code
        let hasAddress = code == 0 && !isTruncated
        var message = [UInt8(id >> 8), UInt8(id & 255), isTruncated ? 0x83 : 0x81, 0x80 | code]
        message += [0, 1, 0, hasAddress ? 1 : 0, 0, 0, 0, 0]
        if let name {
            for label in name.split(separator: ".") {
                message += [UInt8(label.utf8.count)] + label.utf8
            }
            message += [0] + question.suffix(4)
        } else {
            message += question
        }
        // A pointer to the name, the type A, the class IN, 300 seconds, and 192.0.2.7.
        if hasAddress { message += [0xC0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 7] }
        return message
    }
}
