import CData
import Failures

/// Names to ask for, of which each line of a file has one: see ``NameListReader``. `#` begins a
/// comment. Whether each is a domain name is for the reader to check; the line is there to say
/// where.
package struct NameList: Sendable {
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// The record type that the line has, in capital letters, such as `AAAA`.
        package let type: String?
        package let line: Int
    }

    package let file: String
    /// In the order of the file, each name and type once.
    package let entries: [Entry]

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

    /// Reads a file.
    ///
    /// With `isLiteral` each line is a name, with whatever characters it has.
    ///
    /// - Throws: `missingInput` for a file that cannot be read, `data` for a line that is none of a
    ///   list of names, and for a file without names.
    package init(file path: String, isLiteral: Bool = false) throws(CatalogueError) {
        try self.init(parsing: NamedText(file: path), isLiteral: isLiteral)
    }

    init(parsing source: NamedText, isLiteral: Bool = false) throws(CatalogueError) {
        struct Question: Hashable {
            let name: String
            let type: String?
        }
        var reader = NameListReader(file: source.name, isLiteral: isLiteral)
        var entries: [Entry] = []
        var seen: Set<Question> = []
        for (index, line) in source.lines.enumerated() {
            guard let entry = try reader.entry(of: line, number: index + 1),
                seen.insert(Question(name: entry.name.lowercased(), type: entry.type)).inserted
            else { continue }
            entries.append(entry)
        }
        guard !entries.isEmpty else {
            throw CatalogueError(.badData, "\(source.name.quoted) has no names; write one a line")
        }
        file = source.name
        self.entries = entries
    }
}
