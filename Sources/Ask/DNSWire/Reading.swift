/// The meaning of a datagram for the waiting query.
package enum Reading: Hashable, Sendable {
    indirect case response(Response)
    /// Not an answer to the query. It is counted and ignored, and the query continues to wait.
    case stray(Stray)
    /// An answer to the query that is not valid. The text is the reason, as a clause after `the
    /// response`.
    case malformed(String)

    /// The reason why a datagram is not an answer to the query (RFC 5452 §9.1, RFC 7873 §5.3).
    package enum Stray: String, Hashable, Sendable {
        case wrongID
        case wrongQuestion
        /// Its cookie differs from the cookie that was sent: its sender did not see the query.
        case wrongCookie
        case notAResponse
    }
}

extension Reading {
    /// The cause of the failure of a query whose only answer is this reading.
    package var cause: FailureCause? {
        switch self {
        case .response(let response): response.cause
        case .malformed(let reason): FailureCause(.message, reason)
        case .stray(.wrongID): FailureCause(.message, "has another ID")
        case .stray(.wrongQuestion): FailureCause(.message, "is to another question")
        case .stray(.wrongCookie): FailureCause(.cookie)
        case .stray(.notAResponse): FailureCause(.message, "is a query")
        }
    }
}

extension Query {
    /// Classifies `datagram` for this query, which was sent with `id` and `caseBits`.
    ///
    /// `datagram` is one UDP payload, or one TCP message without its length. It may contain any
    /// bytes.
    package func read(
        _ datagram: UnsafeRawBufferPointer,
        id: UInt16,
        caseBits: UInt64 = 0
    ) -> Reading {
        let bytes = unsafe datagram.bindMemory(to: UInt8.self)
        return read(unsafe bytes.span, id: id, caseBits: caseBits)
    }

    /// Classifies a message in safe memory.
    package func read(_ message: Span<UInt8>, id: UInt16, caseBits: UInt64 = 0) -> Reading {
        guard let header = MessageHeader(message) else { return readFragment(message, id: id) }
        guard header.id == id else { return .stray(.wrongID) }
        guard header.isResponse else { return .stray(.notAResponse) }
        var response = Response(header: header, size: message.count)
        var position = MessageHeader.size
        if header.questionCount == 0 {
            // Servers that fail early omit the question.
            guard [.formErr, .servFail, .notImp, .refused].contains(header.code) else {
                return .stray(.wrongQuestion)
            }
        } else {
            switch compareQuestion(with: message, caseBits: caseBits) {
            case .other: return .stray(.wrongQuestion)
            case .cut: return .malformed("ends inside its question")
            case .echoed(let end, let changesCase):
                position = end
                response.changesCase = changesCase
            }
            guard header.questionCount == 1 else {
                return .malformed("has \(header.questionCount) questions")
            }
        }
        do throws(Malformation) {
            try response.readRecords(
                at: position,
                in: message,
                header: header,
                keeping: keepsData ? question.type : nil
            )
        } catch {
            return .malformed(error.reason)
        }
        if let cookie, let option = response.cookie, !cookie.isAnswered(by: option) {
            return .stray(.wrongCookie)
        }
        response.rejectsEDNS =
            hasEDNS && !response.hasEDNS && [.formErr, .notImp].contains(response.code)
        // A name or cookie that the query did not request is ignored.
        if !options.nsid { response.nsid = nil }
        if cookie == nil { response.cookie = nil }
        return .response(response)
    }

    private func readFragment(_ message: Span<UInt8>, id: UInt16) -> Reading {
        guard message.count >= 2, message.uint16(at: 0) == id else { return .stray(.wrongID) }
        if message.count >= 3, message[2] & 0x80 == 0 { return .stray(.notAResponse) }
        return .malformed("has \(message.count) bytes: shorter than a header")
    }

    private enum Echo {
        /// `changesCase`: the letter case of the name differs from the query.
        case echoed(end: Int, changesCase: Bool)
        case cut
        case other
    }

    private func compareQuestion(with message: Span<UInt8>, caseBits: UInt64) -> Echo {
        var letters = CaseMixer(bits: caseBits)
        let nameEnd = MessageHeader.size + question.name.wire.count
        let end = nameEnd + 4
        var changesCase = false
        for position in MessageHeader.size..<end {
            guard position < message.count else { return .cut }
            let (plain, received) = (sentByte(at: position), message[position])
            let sent = position < nameEnd ? letters.mixed(plain) : plain
            guard received != sent else { continue }
            // Names are compared without regard to case (RFC 4343 §3). Type and class are numbers.
            guard position < nameEnd, received.lowercasedASCII == sent.lowercasedASCII else {
                return .other
            }
            changesCase = true
        }
        return .echoed(end: end, changesCase: changesCase)
    }
}
