import SQLite
package import Samples

extension Store {
    /// The sites from which the resolvers of a window answered, in samples that are still stored.
    package func sites(_ window: Window = Window()) throws(StoreError) -> [AnsweringSites] {
        try read { database in
            let targets = try Self.targets(window, database)
            let vantages = try database.vantageNames()
            let texts = try Statement(database, "SELECT value FROM text WHERE id = ?")
            var sites: [Int64: String] = [:]
            var found: [Place: SiteHistory] = [:]
            try database.forEachRow(
                """
                SELECT run.vantage, origin, probe.target,
                    coalesce(base, start) + scheduled + coalesce(sent, 0), site
                FROM round
                JOIN run ON run.id = round.run
                JOIN detail ON detail.round = round.id AND site IS NOT NULL
                JOIN sample ON sample.round = round.id AND sample.position = detail.position
                JOIN probe ON probe.id = sample.probe
                WHERE start < ? AND stop >= ? ORDER BY start, round.id, detail.position
                """,
                window.bounds
            ) { row in
                let place = Place(vantage: try row.integer(0), target: try row.integer(2))
                let moment = try row.moment(3)
                guard window.contains(origin: try row.integer(1)), window.contains(moment),
                    targets[place.target] != nil
                else { return }
                let id = try row.integer(4)
                guard let site = try sites[id] ?? texts.first([id], read: { try $0.name(0) })
                else { return }
                sites[id] = site
                found[place, default: SiteHistory()].add(site, at: moment)
            }
            return found.sorted {
                ($0.key.vantage, $0.key.target) < ($1.key.vantage, $1.key.target)
            }
            .compactMap { place, history in
                guard let vantage = vantages[place.vantage],
                    let target = targets[place.target]
                else { return nil }
                return AnsweringSites(vantage: vantage, target: target, history: history)
            }
        }
    }

    private struct Place: Hashable {
        var vantage: Int64
        var target: Int64
    }

    /// The targets with a label of the window, by their numbers.
    static func targets(
        _ window: Window,
        _ database: Database
    ) throws -> [Int64: Recording.Target] {
        var targets: [Int64: Recording.Target] = [:]
        try database.forEachRow(
            """
            SELECT target.id, \(Recording.Target.columns)
            FROM target JOIN endpoint ON endpoint.id = target.endpoint
            """
        ) { row in
            let target = try Recording.Target(row, from: 1)
            if window.contains(label: target.label) { targets[try row.integer(0)] = target }
        }
        return targets
    }
}
