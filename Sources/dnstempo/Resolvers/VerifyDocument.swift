import Catalogue
import Integrity
import Reports
import Samples

/// The catalogue's claims beside what was seen, as text and as JSON.
struct VerifyDocument: TruthDocument {
    let claims: [(entry: CatalogueEntry, claims: [Claim])]
    let started: Timestamp
    let finished: Timestamp

    private static let header = ["resolver", "claim", "declared", "standing", "seen"]

    private var rows: [[String]] {
        claims.flatMap { entry, claims in
            claims.map { claim in
                [
                    entry.name, claim.subject.rawValue, claim.declared, claim.standing.rawValue,
                    claim.seen,
                ]
            }
        }
    }

    /// A row for each claim, then how many hold.
    func text(_ width: Int) -> String {
        var table = PlainTable(Self.header)
        for row in rows { table.add(row) }
        return "\(table.text)\n\(count)\n"
    }

    /// How many hold, and the rows.
    func page(command: String) -> HTMLPage {
        let table = HTMLTable(
            caption: "What the catalogue says, and what was seen.",
            columns: Self.header.enumerated().map { index, name in
                HTMLTable.Column(name, isHeading: index == 0)
            },
            rows: rows.map { $0.map { HTMLTable.Cell($0) } },
            isSortable: true
        )
        var page = ReportPage(
            title: count,
            answer: [PageFragments.answer(count), table.html],
            provenance: "Looked at from \(started) to \(finished), dnstempo \(Version.text)."
        )
        page.command = command
        page.commandHeading = "Look again"
        return page.page
    }

    private var count: String {
        let all = claims.flatMap(\.claims)
        let counts = Claim.Standing.allCases.map { standing in
            "\(all.count { $0.standing == standing }) \(standing.words)"
        }
        return "Of \(all.count) claims: \(counts.joined(separator: ", "))."
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
