extension CheckNames {
    private static let keys = [
        "nonexistent", "nobody", "signed", "large", "whoami", "validation", "rebinding",
        "filtering",
    ]

    /// Takes what the file has, and keeps the rest.
    mutating func read(_ source: NamedText) throws(CatalogueError) {
        let top = try TOMLSection(parsing: source)
        try top.check(keys: Self.keys)
        nonexistent = try top.names("nonexistent") ?? nonexistent
        whoami = try top.names("whoami") ?? whoami
        nobody = try Self.endpoints(top) ?? nobody
        signed = try top.record("signed") ?? signed
        large = try top.record("large") ?? large
        try readTables(top)
    }

    private mutating func readTables(_ top: TOMLSection) throws(CatalogueError) {
        var validation: [Validation] = []
        for section in try top.tables("validation") {
            try section.check(keys: ["good", "bad"])
            validation.append(
                Validation(good: try section.name("good"), bad: try section.name("bad"))
            )
        }
        var rebinding: [Rebinding] = []
        for section in try top.tables("rebinding") {
            try section.check(keys: ["private", "public"])
            rebinding.append(
                Rebinding(
                    privateName: try section.name("private"),
                    publicName: try section.name("public")
                )
            )
        }
        var filtering: [Filtering] = []
        for section in try top.tables("filtering") {
            try section.check(keys: ["name", "by"])
            filtering.append(
                Filtering(name: try section.name("name"), by: try section.string("by") ?? "")
            )
        }
        self.validation = validation.isEmpty ? self.validation : validation
        self.rebinding = rebinding.isEmpty ? self.rebinding : rebinding
        self.filtering = filtering.isEmpty ? self.filtering : filtering
    }

    private static func endpoints(_ top: TOMLSection) throws(CatalogueError) -> [Endpoint]? {
        guard let texts = try top.strings("nobody") else { return nil }
        var endpoints: [Endpoint] = []
        for text in texts {
            do {
                endpoints.append(try Endpoint(parsing: text))
            } catch {
                throw top.fault("nobody", error.description)
            }
        }
        return endpoints
    }
}

extension TOMLSection {
    fileprivate func names(_ key: String) throws(CatalogueError) -> [CheckNames.Name]? {
        try strings(key)?.map { located($0, key) }
    }

    fileprivate func name(_ key: String) throws(CatalogueError) -> CheckNames.Name {
        located(try requiredString(key), key)
    }

    /// A name and a type with a space between.
    fileprivate func record(_ key: String) throws(CatalogueError) -> CheckNames.Record? {
        guard let text = try string(key) else { return nil }
        let words = text.split(separator: " ")
        guard words.count == 2 else {
            throw fault(
                key,
                "'\(key)' has to be a name and a type such as \". SOA\", not \(text.quoted)"
            )
        }
        return CheckNames.Record(name: located(String(words[0]), key), type: String(words[1]))
    }

    private func located(_ text: String, _ key: String) -> CheckNames.Name {
        CheckNames.Name(text: text, source: sourceName, line: line(of: key))
    }
}
