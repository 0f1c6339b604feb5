import Failures

/// One table of a TOML file, read key by key. Errors name the file, the line and the key.
struct TOMLSection {
    let sourceName: String
    private let table: TOMLTable
    /// The name of the array of tables that contains this table; `nil` for the top of the file.
    private let header: String?

    /// Parses a file. An error is a configuration error with file and line.
    init(parsing source: NamedText) throws(CatalogueError) {
        sourceName = source.name
        header = nil
        do throws(TOMLShape.Fault) {
            try TOMLShape.check(source.text)
            table = try TOMLValue.table(parsing: source.text)
        } catch {
            let place = "\(source.name):\(error.line)"
            throw CatalogueError(.configuration, "\(place): not valid TOML: \(error.reason)")
        }
    }

    private init(_ table: TOMLTable, in header: String, of sourceName: String) {
        self.table = table
        self.header = header
        self.sourceName = sourceName
    }

    /// Throws an error about the first key, in the file's order, that is not among `known`.
    func check(keys known: [String]) throws(CatalogueError) {
        let unknown = table.values.keys.filter { !known.contains($0) }
        let first = unknown.min { (line(of: $0), $0) < (line(of: $1), $1) }
        guard let key = first else { return }
        let advice = NearestName.advice(for: key, among: known)
        let within = header.map { " in [[\($0)]]" } ?? ""
        throw fault(
            key,
            "unknown key \(key.quoted)\(within); "
                + (advice ?? "known are \(known.joined(separator: ", "))")
        )
    }

    /// Whether `key` is present and has a text.
    func isText(_ key: String) -> Bool { table.values[key]?.string != nil }

    func string(_ key: String) throws(CatalogueError) -> String? {
        try value(key, "text in quotes") { $0.string }
    }

    /// The text of a required key.
    func requiredString(_ key: String) throws(CatalogueError) -> String {
        if let text = try string(key), !text.isEmpty { return text }
        throw fault(key, "'\(key)' is missing\(header.map { " in [[\($0)]]" } ?? "")")
    }

    /// An array of texts, or one text.
    func strings(_ key: String) throws(CatalogueError) -> [String]? {
        try value(key, "text in quotes or an array of it") { value in
            if let text = value.string { return [text] }
            guard let array = value.array else { return nil }
            let texts = array.compactMap { $0.string }
            return texts.count == array.count ? texts : nil
        }
    }

    func bool(_ key: String) throws(CatalogueError) -> Bool? {
        try value(key, "true or false") { $0.boolean }
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(CatalogueError) -> Int? {
        let bounds = "from \(range.lowerBound) to \(range.upperBound)"
        let expected = range.upperBound == .max ? "" : " \(bounds)"
        return try value(key, "a whole number\(expected)") { value in
            value.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func number(_ key: String, in range: ClosedRange<Double>) throws(CatalogueError) -> Double? {
        let bounds = "from \(range.lowerBound.shortest) to \(range.upperBound.shortest)"
        return try value(key, "a number \(bounds)") { value in
            value.number.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func duration(_ key: String) throws(CatalogueError) -> Duration? {
        let text = try value(key, "a duration in quotes such as \"30s\"") { $0.string }
        guard let text else { return nil }
        return try duration(of: text, key)
    }

    func duration(of text: String, _ key: String) throws(CatalogueError) -> Duration {
        do {
            return try Duration(parsing: text)
        } catch {
            throw fault(key, "'\(key)': \(error)")
        }
    }

    /// The tables of `[[key]]`, in the order of the file.
    func tables(_ key: String) throws(CatalogueError) -> [TOMLSection] {
        let tables = try value(key, "[[\(key)]] tables") { value -> [TOMLTable]? in
            guard let array = value.array else { return nil }
            let tables = array.compactMap { $0.table }
            return tables.count == array.count ? tables : nil
        }
        return (tables ?? []).map { TOMLSection($0, in: key, of: sourceName) }
    }

    /// The `[[resolver]]` tables in the order of the file. Two tables must not have the same name.
    func resolvers<Entry>(
        _ read: (TOMLSection) throws(CatalogueError) -> Entry
    ) throws(CatalogueError) -> [Entry] {
        var names: Set<String> = []
        return try tables("resolver").map { section throws(CatalogueError) in
            let entry = try read(section)
            let name = try section.resolverName()
            guard names.insert(name).inserted else {
                let reason = "there are two resolvers named \(name.quoted); rename one"
                throw section.fault("name", reason)
            }
            return entry
        }
    }

    func parsed<Value: TextValue>(_ key: String) throws(CatalogueError) -> Value? {
        guard let text = try string(key) else { return nil }
        return try value(of: text, key)
    }

    /// The value of a required key.
    func requiredValue<Value: TextValue>(_ key: String) throws(CatalogueError) -> Value {
        try value(of: requiredString(key), key)
    }

    /// One address, or an array of addresses.
    func endpoints(_ key: String) throws(CatalogueError) -> [Endpoint]? {
        try strings(key)?.map { text throws(CatalogueError) in try value(of: text, key) }
    }

    /// The value that `text`, the text of `key`, represents. Errors name `key`.
    func value<Value: TextValue>(
        of text: String,
        _ key: String
    ) throws(CatalogueError) -> Value {
        do throws(CatalogueError) {
            return try Value(parsing: text)
        } catch {
            throw fault(key, error.description)
        }
    }

    func fault(_ key: String, _ text: String) -> CatalogueError {
        CatalogueError(.configuration, "\(sourceName):\(line(of: key)): \(text)")
    }

    /// The line of `key` in this table; without it, the first line of the table.
    func line(of key: String) -> Int { table.line(of: key) }

    private func value<Value>(
        _ key: String,
        _ expected: String,
        _ read: (TOMLValue) -> Value?
    ) throws(CatalogueError) -> Value? {
        guard let found = table.values[key] else { return nil }
        if let value = read(found) { return value }
        let given = found.written?.quoted ?? "this"
        throw fault(key, "'\(key)' has to be \(expected), not \(given)")
    }
}

extension Double {
    /// The number, without the fraction if it is a whole number.
    var shortest: String { Int(exactly: self).map { String($0) } ?? description }
}
