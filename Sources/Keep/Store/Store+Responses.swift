import SQLite
package import Samples

/// A round, identified by the name of its run and its number in the run.
package struct RoundOfRun: Hashable, Sendable {
    package var run: String
    package var number: Int32

    package init(run: String, number: Int32) { (self.run, self.number) = (run, number) }
}

extension Store {
    /// The responses in the last rounds from a vantage point. They are in the order of storing, which does
    /// not depend on the clock. If possible, they include `count` rounds without a mark for every resolver of
    /// the last round. The last round is `end` if it is given.
    package func latestResponses(
        from vantage: String,
        count: Int,
        upTo end: RoundOfRun? = nil
    ) throws(StoreError) -> [RoundResponses] {
        try read { database in
            let rows = try Statement(database, Self.latestRounds)
            rows.bind([vantage, end?.run, end.map { Int64($0.number) }, Self.mostRounds])
            defer { rows.reset() }
            var rounds: [RoundResponses] = []
            var missing: [Recording.Target: Int]?
            while missing?.isEmpty != true, try rows.step() {
                let round = try responses(RoundRow(rows), database)
                if missing == nil {
                    missing = round.resolvers.reduce(into: [:]) { $0[$1.target] = count }
                }
                rounds.append(round)
                guard round.marks.isEmpty else { continue }
                for resolver in round.resolvers {
                    guard let rest = missing?[resolver.target] else { continue }
                    missing?[resolver.target] = rest > 1 ? rest - 1 : nil
                }
            }
            return rounds.reversed()
        }
    }

    /// The maximum number of rounds to read. A resolver that is in none of them was not queried lately.
    private static let mostRounds: Int64 = 500

    private static let latestRounds = """
        SELECT \(RoundRow.columns) FROM round
        WHERE EXISTS (
            SELECT 1 FROM run JOIN vantage ON vantage.id = run.vantage
            WHERE run.id = round.run AND vantage.name = ?1
                AND origin IN (\(Run.Origin.sample.rawValue), \(Run.Origin.watch.rawValue))
        )
        AND (?2 IS NULL OR id <= (
            SELECT max(round.id) FROM round JOIN run ON run.id = round.run
            WHERE run.name = ?2 AND number = ?3
        ))
        ORDER BY id DESC LIMIT ?4
        """

    private func responses(_ round: RoundRow, _ database: Database) throws -> RoundResponses {
        RoundResponses(
            started: round.round.started,
            marks: round.round.marks,
            resolvers: try database.rows(Self.roundResponses, [round.id]) { row in
                .init(
                    target: try Recording.Target(row, from: 0),
                    sent: try row.count(4),
                    responses: try row.count(5),
                    isUnverified: try row.integer(6) > 0
                )
            }
        )
    }

    /// The responses by resolver, in the order of the plan.
    private static let roundResponses = """
        SELECT \(Recording.Target.columns),
            sum(\(Observation.outcomeInState) NOT IN (\(list { !$0.wasSent }))),
            sum(\(Observation.outcomeInState) IN (\(list(\.isResponse)))),
            count(*) FILTER (WHERE \(Observation.outcomeInState) IN (\(list(\.isResponse)))
                AND detail.connection & \(SampleFlags.unverified.packed))
        FROM sample JOIN probe ON probe.id = probe \(Recording.Target.join)
            LEFT JOIN detail ON detail.round = sample.round AND detail.position = sample.position
        WHERE sample.round = ? GROUP BY target.id ORDER BY target.id
        """

    private static func list(_ isMeant: (Outcome) -> Bool) -> String {
        Outcome.allCases.filter(isMeant).map { "\($0.rawValue)" }.joined(separator: ", ")
    }
}
