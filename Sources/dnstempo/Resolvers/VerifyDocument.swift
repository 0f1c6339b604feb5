import Catalogue
import Integrity
import Measurement
import Reports

/// The catalogue's claims beside what was seen, as text and as JSON.
struct VerifyDocument {
    let claims: [(entry: CatalogueEntry, claims: [Claim])]
    let started: Timestamp
    let finished: Timestamp

    /// A row for each claim, then how many hold.
    var text: String {
        var table = PlainTable(["resolver", "claim", "declared", "standing", "seen"])
        for (entry, claims) in claims {
            for claim in claims {
                table.add([
                    entry.name, claim.subject.rawValue, claim.declared, claim.standing.rawValue,
                    claim.seen,
                ])
            }
        }
        let all = claims.flatMap(\.claims)
        let counts = Claim.Standing.allCases.map { standing in
            "\(all.count { $0.standing == standing }) \(standing.words)"
        }
        return "\(table.text)\nOf \(all.count) claims: \(counts.joined(separator: ", ")).\n"
    }

    /// `dnstempo.verify/1`.
    var json: JSONValue {
        [
            "schema": .string("dnstempo.verify/1"),
            "tool": ["name": .string("dnstempo"), "version": .string(Version.text)],
            "started": .string(started.description),
            "finished": .string(finished.description),
            "resolvers": .array(
                claims.map { entry, claims in
                    [
                        "name": .string(entry.name),
                        "source": entry.source.map(JSONValue.string) ?? .null,
                        "claims": .array(claims.map(Self.json)),
                    ]
                }
            ),
        ]
    }

    private static func json(_ claim: Claim) -> JSONValue {
        [
            "claim": .string(claim.subject.rawValue),
            "declared": .string(claim.declared),
            "standing": .string(claim.standing.rawValue),
            "seen": .string(claim.seen),
        ]
    }
}

extension Claim.Standing {
    /// As a count of claims reads on.
    fileprivate var words: String {
        switch self {
        case .holds: "hold"
        case .contradicted: "contradicted"
        case .open: "open"
        case .notChecked: "not checked"
        }
    }
}
