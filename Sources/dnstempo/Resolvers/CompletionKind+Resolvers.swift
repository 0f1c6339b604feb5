import ArgumentParser
import Catalogue

extension CompletionKind {
    /// The names by which resolvers can be asked, the user's own among them.
    static var resolvers: CompletionKind {
        .custom { _, _, _ in
            guard let bundled = try? ResolverCatalogue.bundled() else { return [] }
            let own = (try? UserConfiguration.current())?.resolvers ?? []
            return ["system"] + bundled.adding(own).entries.map(\.name)
        }
    }
}
