import CData
import Failures

/// The names to query, one per line of a file: see ``NameListReader``. `#` begins a comment. The
/// caller validates each name as a domain name, and uses `line` in its errors.
package struct NameList: Sendable {
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// The record type on the line, in capital letters, such as `AAAA`.
        package let type: String?
        package let line: Int
    }

    package let file: String
    /// The entries in the order of the file, without repetitions of a name and type.
    package let entries: [Entry]

    package static func bundled() throws(CatalogueError) -> NameList {
        try NameList(parsing: NamedText(name: "domains.txt", bundled: cdata_domains))
    }

    /// The long list of `data/popular.txt`. A cache contains some of its names.
    package static func bundledPopular() throws(CatalogueError) -> NameList {
        try NameList(parsing: NamedText(name: "popular.txt", bundled: cdata_popular))
    }

    /// The zones of `data/zones.txt`, in which random names are queried.
    package static func bundledZones() throws(CatalogueError) -> NameList {
        try NameList(parsing: NamedText(name: "zones.txt", bundled: cdata_zones))
    }

    /// Reads a file.
    ///
    /// With `isLiteral` each line is a name, with any characters.
    ///
    /// - Throws: `missingInput` if the file cannot be read. `data` if the file has no names, or a
    ///   line that does not belong to a list of names.
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
            throw CatalogueError(.badData, "\(source.name.quoted) has no names; write one per line")
        }
        file = source.name
        self.entries = entries
    }
}
