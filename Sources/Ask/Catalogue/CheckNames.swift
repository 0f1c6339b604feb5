import CData
import Failures

/// The names that the integrity checks ask for, of `data/checks.toml` and `--checks`. Whether each
/// is a domain name is for the reader to check; `fault` then says where it stands.
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

    /// A name and type, such as `. SOA`.
    package typealias Record = (name: Name, type: String)

    /// Zones below which a random label does not exist.
    package var nonexistent: [Name] = []
    /// Where nobody answers.
    package var nobody: [Endpoint] = []
    /// A signed record that every resolver knows; asked first.
    package var signed: Record?
    /// More than 512 octets with its signatures.
    package var large: Record?
    /// TXT names that tell who asked.
    package var whoami: [Name] = []
    /// Signed names that resolve, each beside one whose signature is wrong.
    package var validation: [(good: Name, bad: Name)] = []
    /// Public names for private addresses, each beside its control.
    package var rebinding: [(privateName: Name, publicName: Name)] = []
    /// Names that `by` and others with a filter block.
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

    /// With what a file says in place of the same keys here; `missingInput` where it cannot be
    /// read, `configuration` where its content cannot be used.
    package func replaced(byFile path: String) throws(CatalogueError) -> CheckNames {
        var names = self
        try names.read(NamedText(file: path))
        return names
    }

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
