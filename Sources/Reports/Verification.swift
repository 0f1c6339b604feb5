import Samples

/// How many answers may be anybody's, since no certificate was verified, of all queries.
struct Verification {
    private(set) var unverified = 0
    private(set) var queries = 0

    /// Over the rows of a report.
    init(of rows: some Sequence<ResolverRow>) {
        for row in rows {
            unverified += row.connections?.unverified ?? 0
            queries += row.counts.sent
        }
    }

    /// Over everything that was added up.
    init(of cells: some Sequence<WindowTally.Cell>) {
        for cell in cells {
            unverified += cell.connections.unverified
            queries += cell.counts.sent
        }
    }

    /// What is to be said of it; `nil` where all that answered were verified, or need not be.
    var caveat: Caveat? { unverified > 0 ? .unverified(count: unverified, of: queries) : nil }

    /// The same for reports over a window.
    var notes: [HistoryNote] {
        caveat.map { [HistoryNote(code: $0.code, text: $0.text)] } ?? []
    }
}

/// For figures of before and now in CSV: of each row how many answers may be anybody's; no columns
/// where none may.
struct UnverifiedColumns {
    let header: [String]
    let cells: [[String]]

    /// Of each row the figures of before and of now.
    init(_ rows: [[ResolverRow?]]) {
        let counts = rows.map { $0.map { $0?.connections?.unverified ?? 0 } }
        let isNeeded = counts.joined().contains { $0 > 0 }
        header = isNeeded ? ["before_unverified", "now_unverified"] : []
        cells = counts.map { isNeeded ? $0.map { $0 > 0 ? "\($0)" : "" } : [] }
    }
}
