import CData

/// Names to ask for: one a line, `#` begins a comment. Whether each is a domain name is for the
/// reader to check; the line is there to say where.
package struct NameList: Sendable {
    package let file: String
    /// In the order of the file, each name once.
    package let entries: [(name: String, line: Int)]

    package static func bundled() throws(CatalogueError) -> NameList {
        try NameList(parsing: NamedText(name: "domains.txt", bundled: cdata_domains))
    }

    /// The long list of `data/popular.txt`, of which some names are in a cache and some are not.
    package static func bundledPopular() throws(CatalogueError) -> NameList {
        try NameList(parsing: NamedText(name: "popular.txt", bundled: cdata_popular))
    }

    /// The zones of `data/zones.txt`, under which random names are asked for.
    package static func bundledZones() throws(CatalogueError) -> NameList {
        try NameList(parsing: NamedText(name: "zones.txt", bundled: cdata_zones))
    }

    /// Reads a file; `missingInput` where that cannot be done, `data` where a line has two names or
    /// the file none.
    package init(file path: String) throws(CatalogueError) {
        try self.init(parsing: NamedText(file: path))
    }

    init(parsing source: NamedText) throws(CatalogueError) {
        var entries: [(name: String, line: Int)] = []
        var seen: Set<String> = []
        for (index, line) in source.lines.enumerated() {
            let name = String(line.prefix { $0 != "#" }.trimmingSpaces)
            guard !name.contains(where: \.isWhitespace) else {
                throw CatalogueError(
                    .data,
                    "\(source.name):\(index + 1): \(name.quoted) is more than one name;"
                        + " write one a line"
                )
            }
            guard !name.isEmpty, seen.insert(name.lowercased()).inserted else { continue }
            entries.append((name, index + 1))
        }
        guard !entries.isEmpty else {
            throw CatalogueError(.data, "\(source.name.quoted) has no names; write one a line")
        }
        file = source.name
        self.entries = entries
    }
}
