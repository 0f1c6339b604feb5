import DNSWire

extension Reading {
    /// The reading in one line, without ID and size.
    var summary: String {
        switch self {
        case .stray(let reason): "stray \(reason.rawValue)"
        case .malformed(let reason): "malformed \(reason)"
        case .response(let response): response.summary
        }
    }
}

extension Response {
    fileprivate var summary: String {
        var words = ["response", code.description]
        let flags = [
            (authoritative, "aa"), (truncated, "tc"), (recursionAvailable, "ra"),
            (authenticData, "ad"), (checkingDisabled, "cd"), (!recursionDesired, "no rd"),
            (changesCase, "case"),
        ]
        words += flags.filter(\.0).map(\.1)
        words.append("answers \(answerCount)")
        if let ttl { words.append("ttl \(ttl)") }
        words += addresses.map { "address \($0.hex)" }
        words += texts.map { "text \($0.joined(separator: "|"))" }
        if hasSignatures { words.append("signed") }
        if dnssecOK { words.append("do") }
        if let nsid { words.append("server \(PresentationText.escaped(nsid))") }
        words += extendedErrors.map { "error \($0)" }
        if hasTrailingBytes { words.append("trailing") }
        if let clientSubnetScope { words.append("scope \(clientSubnetScope)") }
        return words.joined(separator: " ")
    }
}
