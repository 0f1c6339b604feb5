extension Response {
    /// Reads the three sections that begin at `start`. Where the response is truncated, what
    /// cannot be read any more is left out.
    mutating func readRecords(
        at start: Int,
        in message: Span<UInt8>,
        header: MessageHeader
    ) throws(Malformation) {
        do throws(Malformation) {
            let end = try readSections(at: start, in: message, header: header)
            guard end == message.count else {
                throw Malformation("has \(message.count - end) octets after its last record")
            }
        } catch {
            guard truncated else { throw error }
        }
    }

    private mutating func readSections(
        at start: Int,
        in message: Span<UInt8>,
        header: MessageHeader
    ) throws(Malformation) -> Int {
        var position = start
        for _ in 0..<header.answerCount {
            position = try readAnswer(at: position, in: message)
        }
        for _ in 0..<header.authorityCount {
            position = try skipRecord(at: position, in: message)
        }
        var hasOptions = false
        for _ in 0..<header.additionalCount {
            let frame = try RecordFrame(at: position, in: message)
            if frame.type == .opt {
                guard !hasOptions else { throw Malformation("has two OPT records") }
                hasOptions = true
                try readOptions(of: frame, in: message)
                position = frame.data.upperBound
            } else {
                position = try skipRecord(at: position, in: message)
            }
        }
        return position
    }

    private mutating func readAnswer(
        at start: Int,
        in message: Span<UInt8>
    ) throws(Malformation) -> Int {
        let frame = try frame(at: start, in: message)
        if try RecordLayout.check(frame, in: message) {
            let record = try LDNSRecord(frame, in: message)
            try record.checkFields(of: frame)
            if frame.type == .a || frame.type == .aaaa, record.isInternet {
                addresses.append(record.firstField)
            }
            if frame.type == .txt {
                texts.append(record.strings.map(PresentationText.escaped))
            }
        }
        if frame.type == .svcb {
            services.append(try ServiceBinding(frame.data.map { message[$0] }))
        }
        ttl = min(ttl ?? frame.ttl, frame.ttl)
        answerCount += 1
        return frame.data.upperBound
    }

    private mutating func skipRecord(
        at start: Int,
        in message: Span<UInt8>
    ) throws(Malformation) -> Int {
        let frame = try frame(at: start, in: message)
        if try RecordLayout.check(frame, in: message) {
            try LDNSRecord(frame, in: message).checkFields(of: frame)
        }
        return frame.data.upperBound
    }

    private mutating func frame(
        at start: Int,
        in message: Span<UInt8>
    ) throws(Malformation) -> RecordFrame {
        let frame = try RecordFrame(at: start, in: message)
        guard frame.type != .opt else {
            throw Malformation("has an OPT record outside the additional section")
        }
        if frame.type == .rrsig { hasSignatures = true }
        return frame
    }
}
