import Catalogue
import SQLite
package import Samples

extension Store {
    /// The ways to resolvers that were found in a window; the newest first.
    package func traces(_ window: Window = Window()) throws(StoreError) -> [KeptTrace] {
        try read { database in
            try TraceTable.rows(window, database).filter { window.contains(label: $0.target.label) }
        }
    }

    /// Keeps ways in mind; of one moment the first counts.
    package func note(_ traces: [KeptTrace]) throws(StoreError) {
        guard !traces.isEmpty else { return }
        try write { context in
            for trace in traces { try TraceTable.add(trace, to: &context) }
        }
    }
}

/// The rows of traces, each with a checksum of what it says.
///
/// They name their round, which a mirror of a central store need not have. Hops are words with a space
/// between them: the address and, behind `=`, the round trip in nanoseconds, or `*` of a silent one.
enum TraceTable {
    /// So many are read, whoever wrote the store: a resolver has one an hour at most.
    static let most = 10_000
    private static let silent = "*"

    static func add(_ trace: KeptTrace, to context: inout WriteContext) throws {
        let place = try context.number(of: .vantage(trace.vantage))
        let target = try context.number(of: trace.target)
        try context.database.run(
            """
            INSERT OR IGNORE INTO trace (vantage, target, time, run, number, kind, since, ending,
                hops, site, handshake, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            values(of: trace, place, target) + [checksum(trace, place, target)]
        )
    }

    private static func values(
        of trace: KeptTrace,
        _ place: Int64,
        _ target: Int64
    ) -> [(any StatementBinding)?] {
        [
            place, target, trace.time.nanoseconds, trace.run, Int64(trace.round), trace.kind,
            trace.since.nanoseconds, trace.path.end.rawValue, text(of: trace.path.hops),
            trace.path.site, trace.handshake?.nanoseconds,
        ]
    }

    private static func checksum(_ trace: KeptTrace, _ place: Int64, _ target: Int64) -> Int64 {
        Checksum.value(of: values(of: trace, place, target))
    }

    static func rows(_ window: Store.Window, _ database: Database) throws -> [KeptTrace] {
        try database.rows(
            selection + " WHERE time >= ? AND time < ? ORDER BY time DESC LIMIT \(most)",
            window.bounds.reversed()
        ) { try trace($0) }
    }

    /// Rows that are not as they were stored, or whose round is not there.
    static func findings(_ database: Database) throws -> [String] {
        var findings: [String] = []
        let found = """
            SELECT EXISTS (
                SELECT 1 FROM round JOIN run ON run.id = round.run
                WHERE run.name = trace.run AND run.vantage = trace.vantage
                    AND round.number = trace.number
            )
            """
        try database.forEachRow(
            selection(with: ["trace.vantage", "target", "checksum", "(\(found))"])
        ) {
            row in
            let trace = try trace(row)
            let name = "the trace at \(trace.time)"
            if try checksum(trace, row.integer(14), row.integer(15)) != row.integer(16) {
                findings.append("\(name) is not as it was stored")
            } else if try row.integer(17) == 0 {
                findings.append("\(name) is of a round that is not there")
            }
        }
        return findings
    }

    private static let selection = selection(with: [])

    private static func selection(with more: [String]) -> String {
        let columns = [
            "label", "transport", "address", "series", "vantage.name", "trace.run", "number",
            "kind",
            "since", "time", "ending", "hops", "site", "handshake",
        ]
        return """
            SELECT \((columns + more).joined(separator: ", "))
            FROM trace JOIN vantage ON vantage.id = vantage
                JOIN target ON target.id = target JOIN endpoint ON endpoint.id = endpoint
            """
    }

    private static func trace(_ row: Statement) throws(DatabaseError) -> KeptTrace {
        let word = try row.name(10)
        guard let end = PathTrace.End(rawValue: word) else {
            throw .mismatch("there is no end '\(word.cut(toCharacters: 40))' of a trace")
        }
        return KeptTrace(
            vantage: try row.name(4),
            run: try row.name(5),
            round: try row.count(6),
            target: try Recording.Target(row, from: 0),
            kind: try row.name(7),
            since: try row.moment(8),
            time: try row.moment(9),
            path: PathTrace(
                hops: try hops(row.text(11)),
                end: end,
                site: try row.optionalText(12)
            ),
            handshake: try row.optionalInteger(13).map { .nanoseconds($0) }
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
            else { throw .mismatch("a trace has a hop that is none") }
            return PathTrace.Hop(address: address, roundTrip: .nanoseconds(time))
        }
    }
}
