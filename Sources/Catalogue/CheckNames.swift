/// What the integrity checks ask for, as `data/checks.toml` and `--checks` say.
///
/// Whether each is a domain name is for the reader to check; `fault` then says where it stands.
package struct CheckNames: Hashable, Sendable {
    /// A text of the file and where it stands.
    package struct Name: Hashable, Sendable {
        package var text: String
        let source: String
        let line: Int

        /// A configuration error about the text, with file and line.
        package func fault(_ reason: String) -> CatalogueError {
            CatalogueError(.configuration, reason).located(
                .configuration,
                file: source,
                line: line
            )
        }
    }

    /// A name and type, such as `. SOA`.
    package struct Record: Hashable, Sendable {
        package var name: Name
        package var type: String
    }

    /// A signed name that resolves, and one whose signature is wrong.
    package struct Validation: Hashable, Sendable {
        package var good: Name
        package var bad: Name
    }

    /// A public name for a private address, and its control.
    package struct Rebinding: Hashable, Sendable {
        package var privateName: Name
        package var publicName: Name
    }

    /// A name that `by` and others with a filter block.
    package struct Filtering: Hashable, Sendable {
        package var name: Name
        package var by: String
    }

    /// Zones below which a random label does not exist.
    package var nonexistent: [Name] = []
    /// Where nobody answers.
    package var nobody: [Endpoint] = []
    /// What every resolver knows, signed; asked first.
    package var signed: Record?
    /// More than 512 octets with its signatures.
    package var large: Record?
    /// TXT names that tell who asked.
    package var whoami: [Name] = []
    package var validation: [Validation] = []
    package var rebinding: [Rebinding] = []
    package var filtering: [Filtering] = []

    /// The names of `data/checks.toml`.
    package static func bundled() throws(CatalogueError) -> CheckNames {
        var names = CheckNames()
        try names.read(NamedText(name: "checks.toml", bundled: PackageResources.checks_toml))
        return names
    }

    /// What is asked of simulated resolvers.
    package static func lab() throws(CatalogueError) -> CheckNames {
        var names = try bundled()
        let text = NamedText(name: "lab/checks.toml", bundled: PackageResources.lab_checks_toml)
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
}
