#if DEBUG || TESTABLE
@testable import Catalogue
import Signatures

/// A list of the DNSCrypt project, and a signature of minisign. The configuration that a list is
/// imported into can be read, and importing it again changes nothing.
enum ListTarget {
    private static let own = NamedText(
        name: "own.toml",
        text: "rounds = 3\n\n[[resolver]]\nname = \"mine\"\naddress = \"192.0.2.1\"\n"
    )

    private static let catalogue = ResolverCatalogue(entries: [])

    static func take(_ input: [UInt8]) {
        _ = try? MinisignSignature(parsing: input)
        _ = try? MinisignKey(parsing: String(decoding: input, as: UTF8.self))
        guard let list = try? PublicResolverList(parsing: input, name: "x.md") else { return }
        guard let once = imported(list, into: own) else { return }
        guard once.text.hasPrefix(own.text),
            once.imported + once.skipped.values.reduce(0, +) == list.sections.count
        else { accuse("an import loses what was there") }
        let hidden = once.text.unicodeScalars.first {
            $0 != "\n" && $0.properties.generalCategory == .control
        }
        guard hidden == nil else { accuse("an import writes a control character") }
        let again = imported(list, into: NamedText(name: own.name, text: once.text))
        guard let again, !again.isChanged, again.imported == once.imported else {
            accuse("a second import is another one")
        }
    }

    private static func imported(
        _ list: PublicResolverList,
        into file: NamedText
    ) -> ResolverImport? {
        do throws(CatalogueError) {
            return try ResolverImport(
                of: list,
                label: "x.md",
                day: nil,
                into: file,
                beside: catalogue
            )
        } catch {
            accuse("an import ends with '\(error)'")
        }
    }
}
#endif
