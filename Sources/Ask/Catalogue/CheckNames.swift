import CData
import Failures

/// The names that the integrity checks query, from `data/checks.toml` and `--checks`. The caller
/// validates each name, and `fault` reports its place in the file.
package struct CheckNames: Sendable {
    package struct Name: Hashable, Sendable {
        package var text: String
        let source: String
        let line: Int

        /// A configuration error about the text, with file and line.
        package func fault(_ reason: String) -> CatalogueError {
            CatalogueError(.configuration, "\(source):\(line): \(reason)")
        }
    }

    /// A name and a record type, such as `. SOA`.
    package typealias Record = (name: Name, type: String)

    /// Zones in which a random label does not exist.
    package var nonexistent: [Name] = []
    /// Endpoints at which no server answers.
    package var nobody: [Endpoint] = []
    /// A signed record that every resolver can return. It is queried first.
    package var signed: Record?
    /// A record of more than 512 bytes with its signatures.
    package var large: Record?
    /// TXT names whose answer contains the address of the client.
    package var whoami: [Name] = []
    /// Signed names that resolve, each with a name whose signature is wrong.
    package var validation: [(good: Name, bad: Name)] = []
    /// Public names for private addresses, each with its control name.
    package var rebinding: [(privateName: Name, publicName: Name)] = []
    /// Names that `by` and other filtering resolvers block.
    package var filtering: [(name: Name, by: String)] = []

    package static func bundled() throws(CatalogueError) -> CheckNames {
        var names = CheckNames()
        try names.read(NamedText(name: "checks.toml", bundled: cdata_checks))
        return names
    }

    package static func lab() throws(CatalogueError) -> CheckNames {
        var names = try bundled()
        let text = NamedText(name: "lab/checks.toml", bundled: cdata_lab_checks)
        try names.read(text)
        return names
    }

    /// A copy in which the file's values replace the values of the same keys.
    ///
    /// - Throws: `missingInput` if the file cannot be read, `configuration` if its content is not
    ///   usable.
    package func replaced(byFile path: String) throws(CatalogueError) -> CheckNames {
        var names = self
        try names.read(NamedText(file: path))
        return names
    }

    private static let keys = [
        "nonexistent", "nobody", "signed", "large", "whoami", "validation", "rebinding",
        "filtering",
    ]

    /// Replaces the values of the keys that the file has, and keeps the others.
    mutating func read(_ source: NamedText) throws(CatalogueError) {
        let top = try TOMLSection(parsing: source)
        try top.check(keys: Self.keys)
        nonexistent = try top.names("nonexistent") ?? nonexistent
        whoami = try top.names("whoami") ?? whoami
        nobody = try top.endpoints("nobody") ?? nobody
        signed = try top.record("signed") ?? signed
        large = try top.record("large") ?? large
        let validation = try top.tables("validation").map { section throws(CatalogueError) in
            try section.check(keys: ["good", "bad"])
            return (good: try section.name("good"), bad: try section.name("bad"))
        }
        let rebinding = try top.tables("rebinding").map { section throws(CatalogueError) in
            try section.check(keys: ["private", "public"])
            let (inner, outer) = (try section.name("private"), try section.name("public"))
            return (privateName: inner, publicName: outer)
        }
        let filtering = try top.tables("filtering").map { section throws(CatalogueError) in
            try section.check(keys: ["name", "by"])
            return (name: try section.name("name"), by: try section.string("by") ?? "")
        }
        self.validation = validation.isEmpty ? self.validation : validation
        self.rebinding = rebinding.isEmpty ? self.rebinding : rebinding
        self.filtering = filtering.isEmpty ? self.filtering : filtering
    }
}

extension TOMLSection {
    fileprivate func names(_ key: String) throws(CatalogueError) -> [CheckNames.Name]? {
        try strings(key)?.map { located($0, key) }
    }

    fileprivate func name(_ key: String) throws(CatalogueError) -> CheckNames.Name {
        located(try requiredString(key), key)
    }

    fileprivate func record(_ key: String) throws(CatalogueError) -> CheckNames.Record? {
        guard let text = try string(key) else { return nil }
        let words = text.split(separator: " ")
        guard words.count == 2 else {
            throw fault(
                key,
                "'\(key)' has to be a name and a type such as \". SOA\", not \(text.quoted)"
            )
        }
        return (located(String(words[0]), key), String(words[1]))
    }

    private func located(_ text: String, _ key: String) -> CheckNames.Name {
        CheckNames.Name(text: text, source: sourceName, line: line(of: key))
    }
}
