import DNSWire
import Samples

/// The look-ups of one round, as the metrics of OpenTelemetry count them. They contain only this round (delta
/// temporality).
struct LookupFigures: Hashable {
    /// The attributes that distinguish the histograms of a round.
    struct Key: Hashable {
        /// Index into ``Recording/targets``.
        let target: Int32
        /// Index into ``Recording/questions``.
        let question: Int32
        /// The response code, or the outcome, of a look-up that failed; `nil` for an answer.
        let error: String?
    }

    struct Durations: Hashable {
        var histogram = NativeHistogram()
        var shortest = Double.infinity
        var longest = 0.0

        /// Adds a time in seconds.
        mutating func add(_ time: Double) {
            histogram.add(time, timeout: .infinity)
            shortest = min(shortest, time)
            longest = max(longest, time)
        }
    }

    struct Outcomes: Hashable {
        let target: Int32
        let outcome: Outcome
    }

    let vantage: String
    let start: Timestamp
    /// The time at which the last look-up had its outcome.
    let end: Timestamp
    private(set) var durations: [Key: Durations] = [:]
    private(set) var counts: [Outcomes: Int] = [:]

    /// The figures of every round of a recording, in their order.
    static func all(of recording: Recording) -> [LookupFigures] {
        let counted = CountedSamples(of: recording).recording.samplesByRound()
        return recording.rounds.indices.map { index in
            let round = recording.rounds[index]
            return LookupFigures(
                of: round,
                in: recording.runs[Int(round.run)],
                counted[index],
                targets: recording.targets
            )
        }
    }

    private init(
        of round: Round,
        in run: Run,
        _ counted: [Sample],
        targets: [Recording.Target]
    ) {
        (vantage, start) = (run.vantage, round.started)
        // A point must not end before it starts, and a file may contain any time.
        var end = start.advanced(by: .nanoseconds(1))
        for sample in counted where targets.indices.contains(Int(sample.target)) {
            let (target, observation) = (sample.target, sample.observation)
            counts[Outcomes(target: target, outcome: observation.outcome), default: 0] += 1
            let duration = observation.lookupTime(
                in: targets[Int(target)].series,
                timeout: run.timeout
            )
            end = max(end, sample.moment.advanced(by: duration ?? .zero))
            guard observation.outcome.isMeasured, let duration else { continue }
            let key = Key(
                target: target,
                question: sample.question,
                error: observation.errorType
            )
            durations[key, default: Durations()].add(duration / .seconds(1))
        }
        self.end = end
    }
}

extension Observation {
    /// The time until the look-up had its outcome: the time that `series` measures, or the timeout. `nil` if
    /// it is unknown, for example because a connection was refused.
    fileprivate func lookupTime(in series: Series, timeout: Duration) -> Duration? {
        outcome == .timeout ? timeout : time(in: series).map { .nanoseconds($0) }
    }

    /// The attribute `error.type`: the response code, or the outcome; `nil` for an answer.
    fileprivate var errorType: String? {
        switch outcome {
        case .answered: nil
        case .failed: responseCode?.description ?? outcome.description
        default: outcome.description
        }
    }
}
