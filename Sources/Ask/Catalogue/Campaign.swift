import CData
import Failures

/// The contents of a campaign file: names to query, resolvers to query, and options.
package struct Campaign: Sendable {
    package let options: RunOptions
    /// The resolvers in the notation of the command line, under the file's own names.
    package let resolvers: [(notation: String, line: Int)]
    /// The expectations that answers must meet.
    package let expectations: [ExpectationTable]
    fileprivate let source: NamedText

    package static let bundledNames = bundled.map(\.name)

    private static let bundled = [
        NamedText(name: "2009-is-8888-faster", bundled: cdata_campaign_2009)
    ]

    /// Reads a bundled campaign by its name, or a file by its path.
    ///
    /// - Throws: `missingInput` if neither exists, `configuration` if the content is not usable.
    package init(_ nameOrPath: String) throws(CatalogueError) {
        let known = Self.bundled
        try self.init(parsing: NamedText(nameOrPath, bundled: known, kind: "campaign"))
    }

    init(parsing source: NamedText) throws(CatalogueError) {
        let top = try TOMLSection(parsing: source)
        self.source = source
        options = try RunOptions(top, tables: ["resolver", "expect"])
        expectations = try top.tables("expect").map(ExpectationTable.init)
        resolvers = try top.resolvers { section throws(CatalogueError) in
            try section.check(keys: ["name", "address"])
            let name = try section.resolverName()
            let notation = "\(name)=\(try section.requiredString("address"))"
            return (notation: notation, line: section.line(of: "address"))
        }
    }

    /// A configuration error about the value of `key`, with file and line.
    package func fault(_ key: String, _ text: String) -> CatalogueError { source.fault(key, text) }

    /// A configuration error about a table that begins at `line`.
    package func fault(line: Int, _ text: String) -> CatalogueError {
        CatalogueError(.configuration, "\(source.name):\(line): \(text)")
    }

    package var notations: [String] { resolvers.map(\.notation) }
}

extension ResolverCatalogue {
    /// The resolvers of a campaign. An unusable resolver is a configuration error with its line.
    package func resolvers(
        of campaign: Campaign,
        families: Set<IPAddress.Family> = [],
        system: SystemResolvers
    ) throws(CatalogueError) -> [Resolver] {
        var found: [Resolver] = []
        for resolver in campaign.resolvers {
            do {
                found += try resolvers(
                    named: [resolver.notation],
                    families: families,
                    system: system
                )
            } catch {
                let place = "\(campaign.source.name):\(resolver.line)"
                throw CatalogueError(.configuration, "\(place): \(error)")
            }
        }
        return found
    }
}

extension NamedText {
    /// Reads the bundled text with that name, otherwise the file at that path. Unusable bytes of a
    /// file are a configuration error.
    init(_ nameOrPath: String, bundled: [NamedText], kind: String) throws(CatalogueError) {
        if let text = bundled.first(where: { $0.name == nameOrPath }) {
            self = text
            return
        }
        do {
            try self.init(file: nameOrPath)
        } catch {
            guard error.status == .noInput else {
                throw CatalogueError(.configuration, error.description)
            }
            let names = bundled.map(\.name)
            let hint =
                NearestName.advice(for: nameOrPath, among: names)
                ?? "bundled: \(names.joined(separator: ", "))"
            throw CatalogueError(.noInput, "no \(kind): \(error); \(hint)")
        }
    }
}
