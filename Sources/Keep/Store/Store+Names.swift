import Failures
import SQLite
package import Samples

extension Store {
    /// The names, in lower case, that may be in caches because `vantage` queried them. A name may be cached
    /// for a day after the query, or for the greatest TTL of its answers. The set is empty if there is no
    /// store.
    package static func namesInCaches(
        at path: String,
        from vantage: String,
        now: Timestamp
    ) throws(StoreError) -> Set<String> {
        let store: Store
        do throws(StoreError) {
            store = try Store(path: path, access: .readOnly)
        } catch  where error.status == .noInput {
            return []
        }
        return try store.read { database in
            let (second, day) = (1_000_000_000 as Int64, 86_400 as Int64)
            // Few caches keep answers for longer (RFC 8767 §4).
            let longest = 7 * day
            var names: Set<String> = []
            try database.forEachRow(
                """
                SELECT question.name FROM round
                JOIN run ON run.id = round.run
                JOIN vantage ON vantage.id = run.vantage
                JOIN sample ON sample.round = round.id
                JOIN probe ON probe.id = sample.probe
                JOIN question ON question.id = probe.question
                WHERE vantage.name = ? AND start BETWEEN ? AND ?
                GROUP BY question.name
                HAVING max(stop + \(second) * max(\(day), min(coalesce(ttl, 0), \(longest)))) > ?
                """,
                [
                    vantage, now.nanoseconds - longest * second, now.nanoseconds,
                    now.nanoseconds,
                ]
            ) { row in
                names.insert(try row.text(0).lowercased())
            }
            return names
        }
    }
}
