/// The facts that the program reports about a message that it accepted as an answer.
package struct Claim {
    let id: UInt16
    let isTruncated: Bool
    let code: UInt16
    let answers: Int
    let ttl: UInt32?
    let addresses: [[UInt8]]
    let size: Int
    let changesCase: Bool
    let hasTrailingBytes: Bool

    /// Returns the first false fact, if `message` was received as the answer to `inquiry`; `nil` if
    /// all facts are true.
    package func lie(about message: [UInt8], to inquiry: Inquiry) -> String? {
        guard message.count >= 12 else { return "it has no header" }
        guard id == inquiry.id, message.number(at: 0) == id else { return "it has another ID" }
        let flags = message.number(at: 2)
        // The QR bit, and the opcode of a query.
        guard flags & 0xf800 == 0x8000 else { return "it is no response to a query" }
        guard isTruncated == (flags & 0x0200 != 0) else { return "it is not cut as claimed" }
        guard size == message.count else { return "it has another size" }
        let start: Int
        switch message.number(at: 4) {
        case 0:
            // FORMERR, SERVFAIL, NOTIMP and REFUSED may come without a question.
            guard [1, 2, 4, 5].contains(flags & 0xf) else { return "it has no question" }
            start = 12
        case 1:
            start = 12 + inquiry.question.count
            guard message.count >= start else { return "it answers another question" }
            let echo = Array(message[12..<start])
            guard inquiry.isAsked(by: echo) else { return "it answers another question" }
            guard changesCase == (echo != inquiry.question) else {
                return "its letter case is not as claimed"
            }
        default: return "it has several questions"
        }
        return lie(about: Facts(of: message, at: start))
    }

    private func lie(about facts: Facts) -> String? {
        guard !isTruncated else {
            // Only the records before the cut are left.
            return answers <= facts.answers && facts.addresses.starts(with: addresses)
                ? nil : "it has other records before its cut"
        }
        guard facts.isWhole else { return "its records are not there whole" }
        guard answers == facts.answers else { return "it has another number of answers" }
        guard hasTrailingBytes == facts.hasTrailingBytes else { return "it ends elsewhere" }
        guard ttl == facts.ttl else { return "it has another TTL" }
        guard addresses == facts.addresses else { return "it has other addresses" }
        return code == facts.code ? nil : "it has another response code"
    }
}

/// The facts of a message as the judge reads them.
private struct Facts {
    var code: UInt16
    var answers = 0
    var ttl: UInt32?
    var addresses: [[UInt8]] = []
    var isWhole = false
    var hasTrailingBytes = false

    private static let options: UInt16 = 41

    init(of message: [UInt8], at start: Int) {
        code = message.number(at: 3) >> 8 & 0xf
        var walk = MessageWalk(message, at: start)
        var hasOptions = false
        for section in 0..<3 {
            for _ in 0..<message.number(at: 6 + 2 * section) {
                guard let record = walk.next() else { return }
                if record.type == Self.options {
                    guard section == 2 else { return }
                    // Only the first of several OPT records counts.
                    if !hasOptions { code |= UInt16(record.ttl >> 24) << 4 }
                    hasOptions = true
                }
                if section == 0 { take(record, in: message) }
            }
        }
        isWhole = true
        hasTrailingBytes = walk.position < message.count
    }

    private mutating func take(_ record: MessageWalk.Record, in message: [UInt8]) {
        answers += 1
        // RFC 2181 §8: a TTL with its highest bit set counts as 0.
        let seconds = record.ttl > UInt32(Int32.max) ? 0 : record.ttl
        ttl = min(ttl ?? seconds, seconds)
        let size = record.type == 1 ? 4 : record.type == 28 ? 16 : 0
        if record.recordClass == 1, size > 0, record.data.count == size {
            addresses.append(Array(message[record.data]))
        }
    }
}
