/// A pending query, described by the bytes that were sent.
package struct Inquiry {
    package let id: UInt16
    /// Name, type and class, with the letter case as sent.
    package let question: [UInt8]

    /// Reads a sent query: a header, one question, and optional records. `nil` if the question is
    /// cut.
    package init?(sent message: [UInt8]) {
        guard let end = MessageWalk.questionEnd(in: message) else { return nil }
        id = message.number(at: 0)
        question = Array(message[12..<end])
    }

    /// Whether `echo` is the question, with any letter case in its name (RFC 4343).
    func isAsked(by echo: [UInt8]) -> Bool {
        guard echo.count == question.count else { return false }
        let nameEnd = question.count - 4
        return echo[nameEnd...].elementsEqual(question[nameEnd...])
            && zip(echo[..<nameEnd], question[..<nameEnd]).allSatisfy { received, sent in
                received == sent
                    || received ^ sent == 0x20 && (0x61...0x7a).contains(received | 0x20)
            }
    }
}

extension [UInt8] {
    /// Two bytes in network order as a number; 0 if they are missing.
    package func number(at offset: Int) -> UInt16 {
        guard offset + 1 < count else { return 0 }
        return UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
    }
}
