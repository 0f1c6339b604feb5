extension Response {
    /// Reads the three sections that begin at `start`, and keeps the data of answers of type
    /// `kept`. If the response is truncated, the unreadable rest is ignored.
    mutating func readRecords(
        at start: Int,
        in message: Span<UInt8>,
        header: MessageHeader,
        keeping kept: RecordType?
    ) throws(Malformation) {
        if kept != nil { data = [] }
        do throws(Malformation) {
            let end = try readSections(at: start, in: message, header: header, keeping: kept)
            // dig shows such an answer with a warning. The meaning of the bytes is unknown.
            hasTrailingBytes = end < message.count
        } catch {
            guard truncated else { throw error }
        }
    }

    private mutating func readSections(
        at start: Int,
        in message: Span<UInt8>,
        header: MessageHeader,
        keeping kept: RecordType?
    ) throws(Malformation) -> Int {
        var position = start
        for _ in 0..<header.answerCount {
            position = try readRecord(at: position, in: message, isAnswer: true, keeping: kept)
        }
        for _ in 0..<header.authorityCount {
            position = try readRecord(at: position, in: message)
        }
        for _ in 0..<header.additionalCount {
            let frame = try RecordFrame(at: position, in: message)
            if frame.type == .opt {
                // The first of several OPT records applies. dig also shows it, with a warning.
                if !hasEDNS { try readOptions(of: frame, in: message) }
                position = frame.data.upperBound
            } else {
                position = try readRecord(at: position, in: message)
            }
        }
        return position
    }

    /// Reads the record at `start`, and returns the offset of its end.
    private mutating func readRecord(
        at start: Int,
        in message: Span<UInt8>,
        isAnswer: Bool = false,
        keeping kept: RecordType? = nil
    ) throws(Malformation) -> Int {
        let frame = try RecordFrame(at: start, in: message)
        guard frame.type != .opt else {
            throw Malformation("has an OPT record outside the additional section")
        }
        if frame.type == .rrsig { hasSignatures = true }
        if try RecordLayout.check(frame, in: message) {
            let record = try LDNSRecord(frame, in: message)
            if isAnswer { note(record, of: frame.type) }
            if frame.type == kept { data?.append(record.canonicalData()) }
        } else if frame.type == kept {
            data?.append(RecordText.unknown(frame.data.map { message[$0] }))
        }
        guard isAnswer else { return frame.data.upperBound }
        if frame.type == .svcb {
            services.append(try ServiceBinding(frame.data.map { message[$0] }))
        }
        ttl = min(ttl ?? frame.ttl, frame.ttl)
        answerCount += 1
        return frame.data.upperBound
    }

    private mutating func note(_ record: borrowing LDNSRecord, of type: RecordType) {
        switch type {
        case .a, .aaaa: if record.isInternet { addresses.append(record.firstField) }
        case .txt: texts.append(record.strings.map(PresentationText.escaped))
        default: break
        }
    }

    /// Reads the OPT record (RFC 6891 §6.1), which ldns accepts even if it is broken.
    private mutating func readOptions(
        of frame: RecordFrame,
        in message: Span<UInt8>
    ) throws(Malformation) {
        guard message[frame.start] == 0 else {
            throw Malformation("has an OPT record that is not at the root")
        }
        // The highest byte of the field that is the TTL in other records, six bytes before the
        // data.
        let extended = UInt16(message[frame.data.lowerBound - 6])
        code = ResponseCode(rawValue: code.rawValue & 0xf | extended << 4)
        hasEDNS = true
        dnssecOK = message[frame.data.lowerBound - 4] & 0x80 != 0
        var position = frame.data.lowerBound
        while position < frame.data.upperBound {
            guard frame.data.upperBound - position >= 4 else {
                throw Malformation("has an EDNS option that is cut short")
            }
            let start = position + 4
            position = start + Int(message.uint16(at: position + 2))
            guard position <= frame.data.upperBound else {
                throw Malformation("has an EDNS option that is longer than its record")
            }
            try readOption(message.uint16(at: start - 4), message.extracting(start..<position))
        }
    }

    /// The maximum number of extended errors, and the maximum number of bytes of the text of each.
    /// A message has room for more than a reader needs.
    private static let mostErrors = 16
    private static let longestText = 200

    private mutating func readOption(_ option: UInt16, _ data: Span<UInt8>) throws(Malformation) {
        switch option {
        case EDNSOption.nsid:
            nsid = nsid ?? data.indices.map { data[$0] }
        case EDNSOption.clientSubnet:
            guard data.count >= 4 else {
                throw Malformation("has a client subnet that is cut short")
            }
            clientSubnetScope = clientSubnetScope ?? data[3]
        case EDNSOption.cookie:
            cookie = cookie ?? data.indices.map { data[$0] }
        case EDNSOption.keepalive:
            // A server that states no timeout sends no data, and other lengths have no meaning.
            if data.count == 2 { keepalive = keepalive ?? Int(data.uint16(at: 0)) * 100 }
        case EDNSOption.extendedError:
            guard data.count >= 2 else {
                throw Malformation("has an extended error that is cut short")
            }
            guard extendedErrors.count < Self.mostErrors else { break }
            let text = (2..<min(data.count, 2 + Self.longestText)).map { data[$0] }
            extendedErrors.append(
                ExtendedError(infoCode: data.uint16(at: 0), text: PresentationText.escaped(text))
            )
        default: break
        }
    }
}
