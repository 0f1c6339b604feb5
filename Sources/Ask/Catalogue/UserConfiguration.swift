import Failures

/// The user's own resolvers and default options.
package struct UserConfiguration: Equatable, Sendable {
    package var options = RunOptions()
    /// The entries that shadow or extend the catalogue.
    package var resolvers: [CatalogueEntry] = []
    private var source = NamedText(name: "", text: "")

    package init() {}

    /// `$XDG_CONFIG_HOME/dnstempo/config.toml`, by default under `~/.config`. `nil` without a home.
    /// A relative `XDG_CONFIG_HOME` is ignored, as the XDG Base Directory Specification requires.
    package static func path(environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return "\(folder)/dnstempo/config.toml"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.config/dnstempo/config.toml"
    }

    /// Reads the file at a path. A missing file is an empty configuration.
    package init(path: String) throws(CatalogueError) {
        guard let source = try NamedText(configuration: path) else {
            self.init()
            return
        }
        try self.init(parsing: source)
    }

    init(parsing source: NamedText) throws(CatalogueError) {
        self.source = source
        let top = try TOMLSection(parsing: source)
        options = try RunOptions(top)
        resolvers = try top.resolvers(CatalogueEntry.init(configured:))
    }

    /// A configuration error about the value of `key`, with file and line.
    package func fault(_ key: String, _ text: String) -> CatalogueError { source.fault(key, text) }
}

extension NamedText {
    /// Reads the configuration at a path; `nil` if it does not exist. Every error is a
    /// configuration error, because the user usually did not name the file.
    init?(configuration path: String) throws(CatalogueError) {
        do {
            try self.init(optionalFile: path)
        } catch {
            throw CatalogueError(.configuration, error.description)
        }
    }
}

extension CatalogueEntry {
    /// Reads a resolver of the user's: a name, one or several addresses, and declared properties.
    fileprivate init(configured section: TOMLSection) throws(CatalogueError) {
        try section.check(keys: ["name", "address"] + Self.serviceKeys)
        let name = try section.resolverName()
        guard !ResolverNotation.isOfMachine(name) else {
            throw section.fault(
                "name",
                "\(name.quoted) always means this machine's own; choose another name"
            )
        }
        let endpoints = try section.endpoints("address") ?? []
        self.init(name: name, title: name, endpoints: endpoints)
        try readService(section)
        guard !endpoints.isEmpty || isEncryptedOnly && transports.contains(where: \.isEncrypted)
        else { throw section.fault("address", "'address' is missing in [[resolver]]") }
    }
}
