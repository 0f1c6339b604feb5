import ArgumentParser
import Catalogue
import LibC
import Samples

extension CompletionKind {
    /// The names of the available resolvers, including the user's own.
    static var resolvers: CompletionKind {
        .custom { _, _, _ in
            // With a broken configuration, the bundled resolvers are still completed.
            let catalogue = (try? ResolverCatalogue.forUser()) ?? (try? .bundled())
            return catalogue.map { ["system"] + $0.entries.map(\.name) } ?? []
        }
    }

    /// The origins of a store's rounds.
    static var origins: CompletionKind { .list(Run.Origin.words + ["all"]) }

    /// Any of `words`, or a file whose name ends in `suffix`.
    static func file(orWords words: [String], suffix: String = "") -> CompletionKind {
        .custom { _, _, prefix in
            let path = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
            let names = Folder.names(in: path.isEmpty ? "." : path).sorted()
                .filter { !$0.hasPrefix(".") }
            let files = names.compactMap { name -> String? in
                if unsafe access("\(path)\(name)/.", F_OK) == 0 { return "\(path)\(name)/" }
                return name.hasSuffix(suffix) ? path + name : nil
            }
            return (words + files).filter { $0.hasPrefix(prefix) }
        }
    }
}
