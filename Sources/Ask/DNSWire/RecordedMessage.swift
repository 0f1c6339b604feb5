extension Question {
    /// Reads the question of a recorded message, which is a query or a response; `nil` if the
    /// message has no complete question.
    package init?(of message: [UInt8]) {
        let bytes = message.span
        guard let header = MessageHeader(bytes), header.questionCount > 0,
            let nameEnd = try? NameWalk.end(of: MessageHeader.size, in: bytes),
            nameEnd + 4 <= bytes.count
        else { return nil }
        // The first name of a message is never compressed, because no earlier name exists.
        self.init(
            name: DomainName(wire: Array(message[MessageHeader.size..<nameEnd])),
            type: RecordType(rawValue: bytes.uint16(at: nameEnd)),
            recordClass: RecordClass(rawValue: bytes.uint16(at: nameEnd + 2))
        )
    }
}

extension Reading {
    /// Reads a recorded response. Of its query, only the question and the ID in the response are
    /// known.
    package init(recorded message: [UInt8]) {
        let bytes = message.span
        guard let header = MessageHeader(bytes) else {
            self = .malformed("has \(message.count) bytes: shorter than a header")
            return
        }
        guard header.isResponse else {
            self = .stray(.notAResponse)
            return
        }
        var response = Response(header: header, size: message.count)
        do throws(Malformation) {
            guard header.questionCount <= 1 else {
                throw Malformation("has \(header.questionCount) questions")
            }
            var position = MessageHeader.size
            if header.questionCount == 1 {
                position = try NameWalk.end(of: position, in: bytes) + 4
                guard position <= bytes.count else {
                    throw Malformation("ends inside its question")
                }
            }
            try response.readRecords(at: position, in: bytes, header: header, keeping: nil)
            self = .response(response)
        } catch {
            self = .malformed(error.reason)
        }
    }
}
