import Catalogue
import SQLite
package import Samples

extension Store {
    /// The traces of a window; the newest first.
    package func traces(_ window: Window = Window()) throws(StoreError) -> [KeptTrace] {
        try read { database in
            try KeptTrace.rows(window, database).filter { window.contains(label: $0.target.label) }
        }
    }

    /// Stores traces. Only the first trace to a resolver at a time is stored.
    package func note(_ traces: [KeptTrace]) throws(StoreError) {
        try add(traces)
    }
}

/// A trace names its round, because a mirror of a central store may lack the round. Hops are separated by
/// spaces. A hop is its address, `=`, and the round trip in nanoseconds. A silent hop is `*`.
extension KeptTrace: TargetRow {
    static let table = "trace"
    static let names = [
        "time", "run", "number", "kind", "since", "ending", "hops", "site", "handshake",
    ]
    static let reference = (
        isThere: """
        (SELECT EXISTS (
            SELECT 1 FROM round JOIN run ON run.id = round.run
            WHERE run.name = trace.run AND run.vantage = trace.vantage
                AND round.number = trace.number
        ))
        """,
        fault: "is of a round that is not there"
    )

    private static let silent = "*"

    var values: [(any StatementBinding)?] {
        [
            time.nanoseconds, run, Int64(round), kind, since.nanoseconds, path.end.rawValue,
            Self.text(of: path.hops), path.site, handshake?.nanoseconds,
        ]
    }

    func title(_ id: Int64) -> String { "the trace at \(time)" }

    init(
        _ row: Statement,
        from vantage: String,
        _ target: Recording.Target
    ) throws(DatabaseError) {
        let word = try row.name(5)
        guard let end = PathTrace.End(rawValue: word) else {
            throw .mismatch("there is no end '\(word.cut(toCharacters: 40))' of a trace")
        }
        self.init(
            vantage: vantage,
            run: try row.name(1),
            round: try row.count(2),
            target: target,
            kind: try row.name(3),
            since: try row.moment(4),
            time: try row.moment(0),
            path: PathTrace(
                hops: try Self.hops(row.text(6)),
                end: end,
                site: try row.optionalText(7)
            ),
            handshake: try row.optionalInteger(8).map { .nanoseconds($0) }
        )
    }

    static func rows(_ window: Store.Window, _ database: Database) throws -> [Self] {
        try rows(
            where: "time >= ? AND time < ?",
            window.bounds.reversed(),
            latestBy: "time",
            database
        )
    }

    private static func text(of hops: [PathTrace.Hop?]) -> String {
        hops.map { hop in
            hop.map { "\($0.address)=\($0.roundTrip.nanoseconds)" } ?? silent
        }
        .joined(separator: " ")
    }

    private static func hops(_ text: String) throws(DatabaseError) -> [PathTrace.Hop?] {
        let words = text.split(separator: " ", maxSplits: PathTrace.mostHops)
        guard words.count <= PathTrace.mostHops else {
            throw .mismatch("a trace has more than \(PathTrace.mostHops) hops")
        }
        return try words.map { word throws(DatabaseError) in
            if word == silent { return nil }
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let address = IPAddress(parts[0]),
                let time = Int64(parts[1]), time >= 0
            else { throw .mismatch("a trace has an invalid hop") }
            return PathTrace.Hop(address: address, roundTrip: .nanoseconds(time))
        }
    }
}
