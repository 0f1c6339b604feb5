package import Catalogue
package import DNSWire

/// The names of the checks, each of which is a domain name.
package struct CheckQuestions: Sendable {
    struct Validation {
        var good: DomainName
        var bad: DomainName
    }

    struct Rebinding {
        var privateName: DomainName
        var publicName: DomainName
    }

    struct Filtering {
        var name: DomainName
        var by: String
    }

    /// Each with room for a random label and `www` before it.
    let nonexistent: [DomainName]
    /// Where nobody answers.
    package let nobody: [Endpoint]
    /// What every resolver knows.
    package let signed: Question
    let large: Question
    let whoami: [DomainName]
    let validation: [Validation]
    let rebinding: [Rebinding]
    let filtering: [Filtering]

    /// A configuration error with file and line where one is no domain name.
    package init(_ names: CheckNames) throws(CatalogueError) {
        var nonexistent: [DomainName] = []
        for name in names.nonexistent {
            nonexistent.append(try Self.domain(name))
            do {
                _ = try DomainName("www.\(String(repeating: "a", count: 16)).\(name.text)")
            } catch {
                throw name.fault("no label fits before it: \(error)")
            }
        }
        self.nonexistent = nonexistent
        nobody = names.nobody
        signed = try Self.question(names.signed)
        large = try Self.question(names.large)
        whoami = try names.whoami.map { (name) throws(CatalogueError) in try Self.domain(name) }
        validation = try names.validation.map { (pair) throws(CatalogueError) in
            Validation(good: try Self.domain(pair.good), bad: try Self.domain(pair.bad))
        }
        rebinding = try names.rebinding.map { (pair) throws(CatalogueError) in
            Rebinding(
                privateName: try Self.domain(pair.privateName),
                publicName: try Self.domain(pair.publicName)
            )
        }
        filtering = try names.filtering.map { (test) throws(CatalogueError) in
            Filtering(name: try Self.domain(test.name), by: test.by)
        }
    }

    private static func domain(_ name: CheckNames.Name) throws(CatalogueError) -> DomainName {
        do {
            return try DomainName(name.text)
        } catch {
            throw name.fault("\(error)")
        }
    }

    private static func question(_ record: CheckNames.Record?) throws(CatalogueError) -> Question {
        guard let record else {
            throw CatalogueError(.configuration, "the checks name no 'signed' or 'large' record")
        }
        guard let type = RecordType(mnemonic: record.type), type.isQueryable else {
            throw record.name.fault("'\(record.type)' is not a record type to ask for")
        }
        return Question(name: try domain(record.name), type: type)
    }
}
