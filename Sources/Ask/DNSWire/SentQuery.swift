/// A query that was sent once, and the messages received for it, kept as evidence. Times are in
/// nanoseconds since 1970, by the clock as it was when the query was sent.
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
    /// The time when the query was sent; `nil` if it was not sent.
    package var sent: Int64?
    /// The responses in the order in which they arrived. They include responses to other queries.
    package var responses: [Response]

    package init(message: [UInt8], sent: Int64? = nil, responses: [Response] = []) {
        self.message = message
        self.sent = sent
        self.responses = responses
    }

    /// The ID of the query; `nil` if the query is not a valid message.
    package var id: UInt16? { MessageHeader(message.span)?.id }

    /// The readings of the responses, in their order: the meaning of each for the query. With
    /// `keepsData`, they include the data of answers. `nil` if the query is not a valid message.
    package func readings(keepsData: Bool) -> [Reading]? {
        guard let id, var query = Query(sent: message) else { return nil }
        if keepsData { query = query.keepingData }
        return responses.map { query.read($0.message.span, id: id) }
    }
}

extension Query {
    /// Reads a query as it was sent, with its ID and letter case; `nil` if the bytes are not a
    /// query.
    fileprivate init?(sent message: [UInt8]) {
        guard let question = Question(of: message) else { return nil }
        var parameters: [UInt16: [UInt8]] = [:]
        // The question, then name, type, class, TTL and length of the OPT record.
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
