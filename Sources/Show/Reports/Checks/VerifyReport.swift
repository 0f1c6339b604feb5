package import Catalogue
package import Integrity
import Samples

/// The claims of the catalogue, compared with observations.
package struct VerifyReport: TruthReport {
    static let schema = "verify"
    static let isRedactable = false

    let claims: [(entry: CatalogueEntry, claims: [Claim])]
    let context: CheckContext

    package init(
        claims: [(entry: CatalogueEntry, claims: [Claim])],
        context: CheckContext
    ) {
        self.claims = claims
        self.context = context
    }

    package var document: Document {
        let rows = claims.flatMap { entry, claims in
            claims.map {
                [entry.name, $0.subject.rawValue, $0.declared, $0.standing.rawValue, $0.seen]
            }
        }
        var table = Table(["resolver", "claim", "declared", "standing", "seen"], rows)
        table.columns[0].kind = .heading
        table.caption = "Claims of the catalogue, and what was observed."
        var section = Document.Section(count, tables: [table])
        section.addsUp = true
        return document(section)
    }

    private var count: String {
        let all = claims.flatMap(\.claims)
        let counts = Claim.Standing.allCases.map { standing in
            let count = all.count { $0.standing == standing }
            return "\(count) \(standing.words(count))"
        }
        return "Of \(all.count) claims: \(counts.joined(separator: ", "))."
    }

    var resolvers: [(entry: CatalogueEntry, claims: [Claim])] { claims }

    static let resolver = Shape<(entry: CatalogueEntry, claims: [Claim])>(
        "resolver",
        [
            .text("resolver", "Name of the entry.") { $0.entry.name },
            .text("name", "The same text as `resolver`.") { $0.entry.name },
            .text("source", null: "the entry names none", "Source of the entry.") {
                $0.entry.source
            },
            .list("claims", claim, "Claims of the entry.") { $0.claims },
        ]
    )

    private static let claim = Shape<Claim>(
        "claim",
        [
            .word("claim", "Property.") { $0.subject },
            .text("declared", "Declared value.") { $0.declared },
            .word("standing", "Result of the check.") { $0.standing },
            .text("seen", "Observation, for a reader.") { $0.seen },
        ]
    )
}

extension Claim.Standing {
    fileprivate func words(_ count: Int) -> String {
        switch self {
        case .holds: count == 1 ? "holds" : "hold"
        case .contradicted: "contradicted"
        case .open: "open"
        case .notChecked: "not checked"
        }
    }
}
