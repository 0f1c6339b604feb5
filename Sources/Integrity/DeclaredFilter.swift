package import Catalogue

/// What an operator says of its filter.
package enum DeclaredFilter: Hashable, Sendable {
    case nothing
    case filters(String)
    case unknown
}

extension CatalogueEntry {
    /// The filter as the catalogue has it: the first word tells whether there is one.
    package var declaredFilter: DeclaredFilter {
        switch filtering.split(separator: " ").first {
        case "none": .nothing
        case "unknown", "disputed:", nil: .unknown
        default: .filters(filtering)
        }
    }

    /// Whether DNSSEC is declared to be validated; `nil` where that is unknown or disputed.
    package var declaresValidation: Bool? { Self.isYes(dnssec) }

    /// Whether the client's network is declared to be sent on; `nil` where that is unknown.
    package var declaresSubnet: Bool? { Self.isYes(ecs) }

    private static func isYes(_ text: String) -> Bool? {
        switch text.split(whereSeparator: { " (;,".contains($0) }).first {
        case "yes": true
        case "no": false
        default: nil
        }
    }
}
