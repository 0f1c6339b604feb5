import SQLite
package import Samples

/// A stored run, and its time span.
package struct StoredRun: Hashable, Sendable {
    package let run: Run
    /// The times at which its first and its last sample left.
    package let span: ClosedRange<Timestamp>

    package init(run: Run, span: ClosedRange<Timestamp>) {
        self.run = run
        self.span = span
    }
}

extension Store {
    /// The runs, in the order in which they began.
    package func runs() throws(StoreError) -> [StoredRun] {
        try read { database in
            var spans: [Int64: ClosedRange<Timestamp>] = [:]
            try database.forEachRow("SELECT run, min(start), max(stop) FROM round GROUP BY run") {
                let (first, last) = try ($0.moment(1), $0.moment(2))
                spans[try $0.integer(0)] = first...max(first, last)
            }
            return try database.rows(RunRow.selection, read: RunRow.init(_:))
                .compactMap { row in spans[row.id].map { StoredRun(run: row.run, span: $0) } }
                .sorted { $0.span.lowerBound < $1.span.lowerBound }
        }
    }
}
