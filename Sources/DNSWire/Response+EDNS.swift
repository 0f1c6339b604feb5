extension Response {
    /// Reads the OPT record (RFC 6891 §6.1), which ldns takes even where it is broken.
    mutating func readOptions(
        of frame: RecordFrame,
        in message: Span<UInt8>
    ) throws(Malformation) {
        guard message[frame.start] == 0 else {
            throw Malformation("has an OPT record that is not at the root")
        }
        // The highest octet of what is the TTL elsewhere, six before the data.
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

    /// Extended errors that are kept, and octets of the text of each: a message has room for more
    /// than anybody reads.
    private static let mostErrors = 16
    private static let longestText = 200

    private mutating func readOption(
        _ option: UInt16,
        _ data: Span<UInt8>
    ) throws(Malformation) {
        switch option {
        case EDNSOption.nsid:
            nsid = nsid ?? data.indices.map { data[$0] }
        case EDNSOption.clientSubnet:
            guard data.count >= 4 else {
                throw Malformation("has a client subnet that is cut short")
            }
            clientSubnetScope = clientSubnetScope ?? data[3]
        case EDNSOption.extendedError:
            guard data.count >= 2 else {
                throw Malformation("has an extended error that is cut short")
            }
            guard extendedErrors.count < Self.mostErrors else { break }
            let text = (2..<min(data.count, 2 + Self.longestText)).map { data[$0] }
            extendedErrors.append(
                ExtendedError(
                    infoCode: data.uint16(at: 0),
                    text: PresentationText.escaped(text)
                )
            )
        default: break
        }
    }
}
