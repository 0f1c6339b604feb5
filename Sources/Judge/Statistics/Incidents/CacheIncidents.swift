import LibC

/// Finds changes of the share of names that warm-ups find in a resolver's cache.
///
/// The users of a resolver sleep at night, and a name stays in the cache until its TTL ends. The hits of an
/// hour therefore follow the hour of the day, and are far from independent. The log odds of the share are
/// read as a level. The scan of levels learns the pattern of the day, and takes its noise from the resolver's
/// own hours. A cache with more users has the same pattern in log odds. The likelihood of two rates, which
/// suits losses, found false changes in such histories.
struct CacheIncidents {
    /// The fewest names of an hour.
    private static let names = 10
    /// The smallest change of the share that is listed.
    private static let least = 0.05

    private var levels = LevelIncidents()

    /// Adds the next hour. An hour of few names is skipped.
    mutating func add(_ block: HourlyBlock) {
        guard block.warmups.count >= Self.names else { return }
        let hits = Double(block.warmups.hits)
        let misses = Double(block.warmups.count) - hits
        levels.add(
            hour: block.hour,
            value: LogOdds.level(log((hits + 0.5) / (misses + 0.5))),
            hourOfWeek: block.hourOfWeek
        )
    }

    /// The changes of at least 5 points, as shares.
    var incidents: [Incident] {
        levels.incidents.compactMap { incident in
            let before = LogOdds.share(incident.before)
            func size(_ units: Double) -> Double { LogOdds.share(incident.before + units) - before }
            guard abs(size(incident.size)) >= Self.least else { return nil }
            var found = incident
            found.before = before
            found.size = size(incident.size)
            found.interval =
                size(incident.interval.lowerBound)...size(incident.interval.upperBound)
            // The change per day has no constant share.
            let days = incident.rate.map { incident.size / $0 }
            found.rate = days.map { found.size / $0 }
            found.rateInterval = days.map {
                found.interval.lowerBound / $0...found.interval.upperBound / $0
            }
            return found
        }
    }
}

/// The scale of levels: log odds in units of the dead band.
private enum LogOdds {
    /// The dead band of 2 units is 0.3, which is 7 points at a share of a half.
    private static let scale = 2 / 0.3
    /// No level is above 20 units, where the dead band would grow.
    private static let offset = -100.0

    static func level(_ odds: Double) -> Double { odds * scale + offset }

    static func share(_ level: Double) -> Double { 1 / (1 + exp(-(level - offset) / scale)) }
}
