/// The keys of an object in a RIPE Atlas result, and the object's position in the file.
struct AtlasKeys {
    let value: JSONValue
    let file: String
    let piece: JSONObjects.Piece

    subscript(key: String) -> JSONValue? { value[key] }

    func integer(_ key: String) throws(SamplesError) -> Int64? {
        // Some tools and older probes write numbers as strings.
        try value(key, "no whole number") { $0.wholeNumber ?? $0.text.flatMap { Int64($0) } }
    }

    /// A version in any form. It is used only as part of a text.
    func version(_ key: String) -> String? {
        let text = value[key].flatMap { $0.text ?? $0.wholeNumber.map { "\($0)" } }
        return text.flatMap { $0.isEmpty ? nil : $0.cut(toCharacters: 20) }
    }

    /// A count.
    func count(_ key: String) throws(SamplesError) -> Int64? {
        guard let number = try integer(key) else { return nil }
        guard (0...Int64(UInt32.max)).contains(number) else {
            throw fault(key, .numeral("\(number)"), "no whole number from 0 to \(UInt32.max)")
        }
        return number
    }

    /// A moment in seconds since 1970.
    func second(_ key: String) throws(SamplesError) -> Int64? {
        guard let number = try integer(key) else { return nil }
        // The earliest moment of `Timestamp` lies within a second, after that second's beginning.
        let last = Int64.max / 1_000_000_000
        guard (-last - 1...last).contains(number) else {
            throw fault(key, .numeral("\(number)"), "no time in seconds since 1970")
        }
        return number
    }

    /// A time in milliseconds, converted to nanoseconds.
    func milliseconds(_ key: String) throws(SamplesError) -> Int64? {
        try value(key, "no number of milliseconds") { value in
            guard case .numeral(let text) = value else { return nil }
            return SampleCells.nanoseconds(ofMilliseconds: Array(text.utf8)[...])
        }
    }

    /// The text of the first of these keys that is present.
    func text(_ keys: String...) throws(SamplesError) -> String? {
        guard let key = keys.first(where: { value[$0] != nil }) else { return nil }
        return try value(key, "no string", read: \.text)
    }

    /// A port. Older probes write ports as numbers.
    func port(_ key: String) throws(SamplesError) -> UInt16? {
        try value(key, "no port") { value in
            value.text.flatMap { UInt16($0) } ?? value.wholeNumber.flatMap { UInt16(exactly: $0) }
        }
    }

    /// A DNS message in base64.
    func message(_ key: String) throws(SamplesError) -> [UInt8]? {
        try value(key, "no base64") { $0.text.flatMap { [UInt8](base64: Array($0.utf8)) } }
    }

    /// The value of a key, converted by `read`. `fault` describes the error if the conversion fails.
    private func value<Value>(
        _ key: String,
        _ fault: String,
        read: (JSONValue) -> Value?
    ) throws(SamplesError) -> Value? {
        guard let value = value[key] else { return nil }
        guard let found = read(value) else { throw self.fault(key, value, fault) }
        return found
    }

    func object(_ key: String) -> AtlasKeys? {
        guard let value = value[key], case .object = value else { return nil }
        return AtlasKeys(value: value, file: file, piece: piece)
    }

    /// The keys of an API error, which replaces the results.
    static let errorKeys = ["error", "errors", "detail"]

    /// The API error that the object contains; `nil` for a result.
    var errorOfService: SamplesError? {
        guard self["type"] == nil,
            let value = Self.errorKeys.lazy.compactMap({ self[$0] }).first
        else { return nil }
        let parts = [value["status"], value["detail"] ?? value["title"]].compactMap { part in
            part.map { $0.text ?? $0.kind }
        }
        let words = parts.isEmpty ? value.text ?? value.kind : parts.joined(separator: " ")
        return error(
            "an error of the API instead of results: '\(words.cut(toCharacters: 80))'; download "
                + "the results again"
        )
    }

    func error(_ reason: String) -> SamplesError {
        SamplesError(file: file, line: piece.line, reason: reason, byte: piece.byte)
    }

    private func fault(_ key: String, _ value: JSONValue, _ reason: String) -> SamplesError {
        error("the key \(key): \(value.kind) is \(reason)")
    }
}

extension AtlasResult {
    /// Reads the result of one query. In a set of queries, `entry` contains the keys of the query at a
    /// `place`, from 1. `record` contains the keys of the set.
    init(_ entry: AtlasKeys, of record: AtlasKeys, place: Int? = nil) throws(SamplesError) {
        guard let timestamp = try record.second("timestamp") else {
            throw record.error("the key timestamp is missing")
        }
        measurement = try record.integer("msm_id")
        group = try record.integer("group_id")
        probe = try record.integer("prb_id")
        self.timestamp = timestamp
        time = timestamp
        if let place {
            if let own = try entry.second("time") { time = own }
            let told = try entry.count("subid")
            ownResolver = told ?? Int64(place)
        }
        address = try entry.text("dst_addr", "addr")
        let name = try entry.text("dst_name", "name")
        host = name == address ? nil : name
        port = try entry.port("dst_port")
        let carrier = try entry.text("proto") ?? ""
        isTCP = ["TCP", "T", "TLS"].contains(carrier)
        let version = try entry.text("sslvers")
        isEncrypted = version != nil || carrier == "TLS"
        retries = try entry.count("retry")
        if let result = entry.object("result") {
            answer = Answer(
                total: try result.milliseconds("rt"),
                query: try result.milliseconds("qt"),
                records: try result.count("ANCOUNT"),
                size: try result.count("size")
            )
        }
        failure = try Failure(entry)
    }
}

extension AtlasResult.Failure {
    /// The failure in the key `error`. Of several failures it is the timeout, or otherwise the first in
    /// alphabetical order.
    fileprivate init?(_ entry: AtlasKeys) throws(SamplesError) {
        switch entry["error"] {
        case .string(let text)?:
            self.init(key: "", reason: text)
        case .object(let reasons)?:
            let keys = reasons.map(\.name)
            guard let key = keys.first(where: { $0 == "timeout" }) ?? keys.min(),
                let error = entry.object("error")
            else { return nil }
            let timeout = key == "timeout" ? try error.milliseconds(key) : nil
            self.init(key: key, reason: error[key]?.text ?? "", timeout: timeout)
        default: return nil
        }
    }
}
