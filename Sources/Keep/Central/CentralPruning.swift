package import Samples

/// Drops samples in a central store. Only its owner may do this. Rounds and sums remain.
package struct CentralPruning {
    /// The time limit for statements on all rounds of a place: a minute more than the server's limit.
    private static let patience = Duration.seconds(86_460)
    private static let isOld = "source = $1 AND pruned = 0 AND start < $2 AND stop < $2"

    private let central: CentralConnection
    private let sources: [Int]
    private let limit: CentralValue

    /// Prepares to prune rounds that ended before `limit`.
    package init(_ central: CentralConnection, before limit: Timestamp) throws {
        self.central = central
        self.limit = .integer(limit.nanoseconds)
        try central.allow("1d")
        sources = try CentralHistory.places(central).map(\.source)
    }

    /// The number of rounds that would lose their samples, and the number of these samples.
    package func prunable() throws -> (rounds: Int, samples: Int) {
        try sources.reduce(into: (0, 0)) { all, source in
            let found = try central.query(
                """
                SELECT count(*), least(coalesce(sum(samples), 0), \(Int64.max))::int8 FROM dnstempo.current
                WHERE \(Self.isOld)
                """,
                [.integer(Int64(source)), limit],
                patience: Self.patience
            )
            all.0 += Int(clamping: found.integer(0, 0) ?? 0)
            let samples = Int128(all.1) + Int128(found.integer(0, 1) ?? 0)
            all.1 = Int(clamping: samples)
        }
    }

    /// Drops the samples place by place, so that each statement is short. The server reuses the space. A
    /// place is skipped if its row stays locked or if constraints reject its rows.
    ///
    /// - Throws: after the other places are done, an error that names the first skipped place.
    package func prune() throws {
        var fault: (source: Int, error: CentralError)?
        for source in sources {
            do {
                try prune(source)
            } catch let error as CentralError where Self.isOfOnePlace(error) {
                fault = fault ?? (source, error)
            }
        }
        try central.query("VACUUM dnstempo.round", patience: Self.patience)
        if let (source, error) = fault {
            throw CentralError(
                error.status,
                "the samples of place \(source) stay, those of other places are dropped: \(error)"
            )
        }
    }

    private static func isOfOnePlace(_ error: CentralError) -> Bool {
        [CentralError.lockTimeout, CentralError.isRejected].contains(error.state)
    }

    private func prune(_ source: Int) throws {
        try central.query(
            """
            WITH old AS (
                UPDATE dnstempo.round SET data = NULL, pruned = 1 WHERE \(Self.isOld)
                RETURNING stop
            )
            UPDATE dnstempo.shipped
            SET pruned = greatest(pruned, (SELECT max(stop) FROM old)) WHERE source = $1
            """,
            [.integer(Int64(source)), limit],
            patience: Self.patience
        )
    }
}
