import Failures

/// A list of the DNSCrypt project, such as `public-resolvers.md`. It is Markdown with one section
/// per resolver, and stamps with the resolver's addresses.
package struct PublicResolverList: Hashable, Sendable {
    package struct Section: Hashable, Sendable {
        package var name: String
        package fileprivate(set) var stamps: [String] = []
        /// The text of the section, limited to little more than is shown.
        private var text = ""

        package init(name: String) { self.name = name }

        /// The section's text on one line, without hidden characters; a long text is truncated.
        package var description: String {
            let most = PublicResolverList.longestDescription
            return text.count > most ? text.prefix(most - 1).trimmingSpaces + "…" : text
        }

        fileprivate mutating func add(_ line: Substring) {
            let most = PublicResolverList.longestDescription
            guard text.count <= most else { return }
            let visible = line.prefix(2 * most).unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
                    .paragraphSeparator, .spaceSeparator:
                    return Character(" ")
                default: return Character(scalar)
                }
            }
            for word in String(visible).split(separator: " ") {
                text += (text.isEmpty ? "" : " ") + word
            }
        }
    }

    package private(set) var sections: [Section] = []

    /// Far more sections than any list has.
    private static let mostSections = 10_000
    private static let mostStamps = 64
    /// The maximum number of characters in a stamp, and in a description.
    private static let longestStamp = 4_096
    private static let longestDescription = 200

    /// Reads a list. Errors use `name`.
    package init(parsing bytes: [UInt8], name: String) throws(CatalogueError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CatalogueError(
                .badData,
                "\(name.quoted) is not a text file in UTF-8; get it again"
            )
        }
        for line in NamedText(name: name, text: text).lines {
            read(line)
            guard sections.count <= Self.mostSections else {
                throw CatalogueError(
                    .badData,
                    "\(name.quoted) has more than \(Self.mostSections) resolvers; import another list"
                )
            }
        }
        guard !sections.isEmpty else {
            throw CatalogueError(
                .badData,
                "\(name.quoted) has no section that begins with '## ' and a name; import a list such"
                    + " as public-resolvers.md"
            )
        }
    }

    private mutating func read(_ line: Substring) {
        if line.hasPrefix("## ") {
            sections.append(Section(name: String(line.dropFirst(3).trimmingSpaces)))
            return
        }
        // Text before the first section describes the list.
        guard let last = sections.indices.last else { return }
        if ServerStamp.isStamp(String(line.prefix(8))) {
            let stamp = line.trimmingSpaces
            guard stamp.utf8.count <= Self.longestStamp,
                sections[last].stamps.count < Self.mostStamps
            else { return }
            sections[last].stamps.append(String(stamp))
        } else {
            sections[last].add(line)
        }
    }
}
