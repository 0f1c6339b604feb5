#if DEBUG || TESTABLE
@testable import Catalogue
import Signatures

/// A list of the DNSCrypt project, a minisign signature, and a configuration with an imported list.
///
/// The configuration can be read after the import of a list. A second import of the same list
/// changes nothing. A list with an earlier signature is rejected.
enum ListTarget {
    private static let own = NamedText(
        name: "own.toml",
        text: "rounds = 3\n\n[[resolver]]\nname = \"mine\"\naddress = \"192.0.2.1\"\n"
    )

    private static let catalogue = ResolverCatalogue(entries: [])

    static func take(_ input: [UInt8]) {
        if let signature = try? MinisignSignature(parsing: input) {
            _ = (signature.timestamp, signature.fileName)
        }
        _ = try? MinisignKey(parsing: String(decoding: input, as: UTF8.self))
        checkConfiguration(String(decoding: input, as: UTF8.self))
        guard let list = try? PublicResolverList(parsing: input, name: "x.md") else { return }
        let once: ResolverImport
        let again: ResolverImport
        do throws(CatalogueError) {
            once = try imported(list, into: own)
            again = try imported(list, into: NamedText(name: own.name, text: once.text))
        } catch {
            accuse("an import ends with '\(error)'")
        }
        guard once.text.hasPrefix(own.text),
            once.imported + once.skipped.values.reduce(0, +) == list.sections.count
        else { accuse("an import loses what was there") }
        let hidden = once.text.unicodeScalars.first {
            $0 != "\n" && $0.properties.generalCategory == .control
        }
        guard hidden == nil else { accuse("an import writes a control character") }
        guard !again.isChanged, again.imported == once.imported else {
            accuse("a second import is another one")
        }
    }

    /// Imports a list into a configuration with this text.
    private static func checkConfiguration(_ text: String) {
        let octets = Array("## fresh\n\nsdns://AAEAAAAAAAAACTEyNy4wLjAuMQ\n".utf8)
        guard let list = try? PublicResolverList(parsing: octets, name: "x.md") else {
            accuse("a list cannot be read")
        }
        let file = NamedText(name: own.name, text: text)
        guard let once = try? imported(list, into: file, allowsOlder: true), once.imported == 1
        else { return }
        let result = NamedText(name: own.name, text: once.text)
        do throws(CatalogueError) {
            guard try !imported(list, into: result).isChanged else {
                accuse("a second import is another one")
            }
        } catch {
            accuse("a second import ends with '\(error)'")
        }
        guard (try? imported(list, into: result, at: "2026-09-22T12:01:50Z")) == nil,
            (try? imported(list, into: result, at: nil)) == nil
        else { accuse("an older list is imported") }
    }

    private static func imported(
        _ list: PublicResolverList,
        into file: NamedText,
        at time: String? = "2026-09-22T12:01:51Z",
        allowsOlder: Bool = false
    ) throws(CatalogueError) -> ResolverImport {
        try ResolverImport(
            of: list,
            from: .init(label: "x.md", time: time),
            allowsOlder: allowsOlder,
            into: file,
            beside: catalogue
        )
    }
}
#endif
