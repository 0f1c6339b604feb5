/// One sending of a query and the messages that came back, kept as evidence. Times are in nanoseconds since
/// 1970, on the clock of the moment of sending.
package struct SentQuery: Hashable, Sendable {
    package struct Response: Hashable, Sendable {
        package var message: [UInt8]
        package var received: Int64

        package init(message: [UInt8], received: Int64) {
            self.message = message
            self.received = received
        }
    }

    package var message: [UInt8]
    /// `nil` where it did not leave.
    package var sent: Int64?
    /// In the order in which they came; also those that answer another query.
    package var responses: [Response]

    package init(message: [UInt8], sent: Int64? = nil, responses: [Response] = []) {
        self.message = message
        self.sent = sent
        self.responses = responses
    }

    /// `nil` where the query is no message.
    package var id: UInt16? { MessageHeader(message.span)?.id }

    /// The readings of the responses, in their order: what each is to the query, with the data of
    /// answers where `keepsData`; `nil` where the query is no message.
    package func readings(keepsData: Bool) -> [Reading]? {
        guard let id, var query = Query(sent: message) else { return nil }
        if keepsData { query = query.keepingData }
        return responses.map { query.read($0.message.span, id: id) }
    }
}

extension Query {
    /// A query as it was sent, with the ID and the letters that it had; `nil` where the octets are none.
    fileprivate init?(sent message: [UInt8]) {
        guard let question = Question(of: message) else { return nil }
        var parameters: [UInt16: [UInt8]] = [:]
        // The question, then the root's name, type, class, TTL and length of the OPT record.
        var position = MessageHeader.size + question.name.wire.count + 4 + 11
        while position + EDNSOption.headerSize <= message.count {
            let start = position + EDNSOption.headerSize
            let count = Int(message.span.uint16(at: position + 2))
            guard start + count <= message.count else { return nil }
            parameters[message.span.uint16(at: position)] = Array(message[start..<start + count])
            position = start + count
        }
        var options = QueryOptions()
        options.nsid = parameters[EDNSOption.nsid] != nil
        self.init(
            question,
            options: options,
            cookie: parameters[EDNSOption.cookie].flatMap(DNSCookie.init(sent:)),
            sent: message
        )
    }
}
