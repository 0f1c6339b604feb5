#if DEBUG || TESTABLE
@testable import Catalogue

/// A text as each of the TOML files. An error is one line with the file's name.
enum SettingsTarget {
    static func take(_ input: [UInt8]) {
        // Files that are not UTF-8 or contain a zero byte are rejected before they are parsed.
        guard let text = String(validating: input, as: UTF8.self), !input.contains(0) else {
            return
        }
        let source = NamedText(name: "x.toml", text: text)
        read { () throws(CatalogueError) in _ = try Campaign(parsing: source) }
        read { () throws(CatalogueError) in _ = try UserConfiguration(parsing: source) }
        read { () throws(CatalogueError) in _ = try ResolverCatalogue(parsing: source) }
        read { () throws(CatalogueError) in _ = try LabProfile(parsing: source) }
        read { () throws(CatalogueError) in
            var names = CheckNames()
            try names.read(source)
        }
    }

    private static func read(_ body: () throws(CatalogueError) -> Void) {
        do throws(CatalogueError) {
            try body()
        } catch {
            let words = "\(error)"
            guard words.contains("x.toml"), !words.contains("\n"), !words.contains("\u{1b}") else {
                accuse("an error is written as '\(words)'")
            }
        }
    }
}
#endif
