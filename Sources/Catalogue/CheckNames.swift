/// What the integrity checks ask for, as `data/checks.toml` and `--checks` say.
///
/// Whether each is a domain name is for the reader to check; `fault` then says where it stands.
public struct CheckNames: Hashable, Sendable {
    /// A text of the file and where it stands.
    public struct Name: Hashable, Sendable {
        public var text: String
        let source: String
        let line: Int

        /// A configuration error about the text, with file and line.
        public func fault(_ reason: String) -> CatalogueError {
            CatalogueError(.configuration, reason).located(
                .configuration,
                file: source,
                line: line
            )
        }
    }

    /// A name and type, such as `. SOA`.
    public struct Record: Hashable, Sendable {
        public var name: Name
        public var type: String
    }

    /// A signed name that resolves, and one whose signature is wrong.
    public struct Validation: Hashable, Sendable {
        public var good: Name
        public var bad: Name
    }

    /// A public name for a private address, and its control.
    public struct Rebinding: Hashable, Sendable {
        public var privateName: Name
        public var publicName: Name
    }

    /// A name that `by` and others with a filter block.
    public struct Filtering: Hashable, Sendable {
        public var name: Name
        public var by: String
    }

    /// Zones below which a random label does not exist.
    public var nonexistent: [Name] = []
    /// Where nobody answers.
    public var nobody: [Endpoint] = []
    /// What every resolver knows, signed; asked first.
    public var signed: Record?
    /// More than 512 octets with its signatures.
    public var large: Record?
    /// TXT names that tell who asked.
    public var whoami: [Name] = []
    public var validation: [Validation] = []
    public var rebinding: [Rebinding] = []
    public var filtering: [Filtering] = []

    /// The names of `data/checks.toml`.
    public static func bundled() throws(CatalogueError) -> CheckNames {
        var names = CheckNames()
        try names.read(NamedText(name: "checks.toml", bundled: PackageResources.checks_toml))
        return names
    }

    /// What is asked of simulated resolvers.
    public static func lab() throws(CatalogueError) -> CheckNames {
        var names = try bundled()
        let text = NamedText(name: "lab/checks.toml", bundled: PackageResources.lab_checks_toml)
        try names.read(text)
        return names
    }

    /// With what a file says in place of the same keys here; `missingInput` where it cannot be
    /// read, `configuration` where its content cannot be used.
    public func replaced(byFile path: String) throws(CatalogueError) -> CheckNames {
        var names = self
        try names.read(NamedText(file: path))
        return names
    }
}
