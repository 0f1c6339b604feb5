import DNSWire
import Samples

/// Adds samples up to rollups that are not stored.
struct RollupBuilder {
    private struct Key: Hashable {
        var vantage: String
        var target: Recording.Target
        var type: RecordType
        var timeout: Duration
        var origin: Run.Origin
        var hour: Int64
    }

    private var tallies: [Key: RollupTally] = [:]

    /// Adds the samples of one round that lie in hours that `isWanted` takes.
    mutating func add(
        _ samples: [Sample],
        of run: Run,
        targets: [Recording.Target],
        _ questions: [Question],
        isWanted: (Int64) -> Bool
    ) {
        var previous: [Key: Double] = [:]
        for sample in samples {
            let hour = (sample.moment).hourNumber
            guard isWanted(hour) else { continue }
            let key = Key(
                vantage: run.vantage,
                target: targets[Int(sample.target)],
                type: questions[Int(sample.question)].type,
                timeout: run.timeout,
                origin: run.origin,
                hour: hour
            )
            let answer = tallies[key, default: RollupTally()]
                .add(sample.observation, in: key.target.series, after: previous[key])
            if let answer { previous[key] = answer }
        }
    }

    /// In the order of their hours.
    var rollups: [HourlySum] {
        tallies.map { key, tally in
            HourlySum(
                vantage: key.vantage,
                target: key.target,
                type: key.type,
                timeout: key.timeout,
                origin: key.origin,
                hour: Timestamp(hourNumber: key.hour),
                counts: tally.counts,
                latency: tally.latency,
                connections: tally.connections
            )
        }
        .sorted { $0.hour < $1.hour }
    }
}
