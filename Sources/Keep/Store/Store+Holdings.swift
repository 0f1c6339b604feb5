import SQLite
package import Samples

extension Store {
    /// Counts all stored samples. This takes about a second for some millions of samples.
    package func holdings() throws(StoreError) -> StoreHoldings {
        try read { database in
            var holdings = StoreHoldings()
            let spans = try Self.addRounds(to: &holdings, database)
            try Self.addSamples(to: &holdings, spans, database)
            return holdings
        }
    }

    private typealias Span = ClosedRange<Timestamp>

    /// Adds the rounds to their vantage points and origins. Returns the time span of each round, by its
    /// number.
    private static func addRounds(
        to holdings: inout StoreHoldings,
        _ database: Database
    ) throws -> [Int64: Span] {
        var spans: [Int64: Span] = [:]
        try database.forEachRow(
            """
            SELECT round.id, start, stop, samples * (pruned = 0), vantage.name, origin
            FROM round JOIN run ON run.id = run JOIN vantage ON vantage.id = vantage
            """
        ) { row in
            let (start, stop) = try (row.moment(1), row.moment(2))
            let span = start...max(start, stop)
            spans[try row.integer(0)] = span
            let samples = try row.count(3)
            holdings.vantages[try row.name(4), default: .init()].add(samples: samples, span)
            guard let origin = try row.origin(5) else { return }
            holdings.origins[origin, default: .init()].add(samples: samples, span)
        }
        return spans
    }

    /// Adds the samples of each round to their resolvers.
    private static func addSamples(
        to holdings: inout StoreHoldings,
        _ spans: [Int64: Span],
        _ database: Database
    ) throws {
        let targets = try targets(Window(), database).mapValues(StoreHoldings.Resolver.init)
        let resolvers = Array(Set(targets.values))
        let places = Dictionary(uniqueKeysWithValues: resolvers.enumerated().map { ($1, $0) })
        var placeOfProbe: [Int64: Int] = [:]
        try database.forEachRow("SELECT id, target FROM probe") { row in
            placeOfProbe[try row.integer(0)] = targets[try row.integer(1)].flatMap { places[$0] }
        }
        var counted = [StoreHolding](repeating: .init(), count: resolvers.count)
        var inRound = [Int](repeating: 0, count: resolvers.count)
        var round: Int64?
        func endRound() {
            guard let span = round.flatMap({ spans[$0] }) else { return }
            for place in inRound.indices where inRound[place] > 0 {
                counted[place].add(samples: inRound[place], span)
                inRound[place] = 0
            }
        }
        // The order is that of the table's key, so that SQLite does not sort.
        try database.forEachRow("SELECT round, probe FROM sample ORDER BY round") { row in
            let number = try row.integer(0)
            if number != round {
                endRound()
                round = number
            }
            if let place = placeOfProbe[try row.integer(1)] { inRound[place] += 1 }
        }
        endRound()
        holdings.resolvers = Dictionary(uniqueKeysWithValues: zip(resolvers, counted))
    }
}
