package import Samples
import Statistics

/// The rounds around those without an answer from a resolver, from the samples that still exist. Hourly figures
/// show only whether a whole hour had no answer.
package struct SilentRounds: Sendable {
    /// The queries of a round in one hour.
    struct Round {
        /// The first query, in nanoseconds since 1970.
        var start: Int64
        var counts: [HistoryHours.Subject: (asked: Int, lost: Int)] = [:]
    }

    private struct Key: Hashable {
        var recording: Int
        var round: Int32
        var hour: Int
    }

    private var rounds: [Key: Round] = [:]
    private var recordings = 0

    package init() {}

    var isEmpty: Bool { rounds.isEmpty }

    /// Adds the samples of whole rounds.
    package mutating func add(_ counted: CountedSamples) {
        let recording = counted.recording
        recordings += 1
        for sample in recording.samples where sample.observation.outcome.wasSent {
            guard let round = recording.round(of: sample),
                recording.runs.indices.contains(Int(round.run)),
                recording.targets.indices.contains(Int(sample.target))
            else { continue }
            let subject = HistoryHours.Subject(
                vantage: recording.runs[Int(round.run)].vantage,
                target: recording.targets[Int(sample.target)]
            )
            let moment = sample.moment
            let key = Key(
                recording: recordings,
                round: sample.round,
                hour: moment.hoursSinceEpoch
            )
            var own = rounds[key] ?? Round(start: moment.nanoseconds)
            own.start = min(own.start, moment.nanoseconds)
            own.counts[subject, default: (0, 0)].asked += 1
            if !sample.observation.outcome.showsAvailability {
                own.counts[subject]?.lost += 1
            }
            rounds[key] = own
        }
    }

    /// The rounds of a place in each hour, in the order of their start.
    func byHour(at vantage: String) -> [Int: [Round]] {
        let own = rounds.filter { $0.value.counts.keys.contains { $0.vantage == vantage } }
        return Dictionary(grouping: own, by: \.key.hour).mapValues { rounds in
            rounds.map(\.value).sorted { $0.start < $1.start }
        }
    }
}

extension HistoryHours {
    /// The maximum number of hours whose samples are read for the rounds without an answer.
    private static let mostSilentHours = 200

    /// The hours of a window whose rounds show when a resolver did not answer: the hours with enough rounds
    /// without an answer for an outage, and the hour after them, which can have the end. Hours within a long
    /// outage are left out, and so are the first of many.
    package func silentHours(in window: Range<Timestamp>) -> [Range<Timestamp>] {
        var wanted: Set<Int> = []
        for hours in figures.values {
            for (hour, own) in hours where own.availability.dead > 0 {
                let next = hours[hour + 1]
                let rounds = own.availability.dead + (next?.availability.dead ?? 0)
                let queries = own.counts.failed + (next?.counts.failed ?? 0)
                guard rounds >= NoticeRules.rounds, queries >= NoticeRules.queries else { continue }
                let last = next.map { $0.availability.dead > 0 } == true ? hour + 2 : hour + 1
                let own = (hour...last).filter { hour in
                    !(hour - 1...hour + 1).allSatisfy { hours[$0]?.counts.answered == 0 }
                }
                wanted.formUnion(own)
            }
        }
        var ranges: [Range<Int>] = []
        for hour in wanted.sorted().suffix(Self.mostSilentHours) {
            if let last = ranges.last, last.upperBound == hour {
                ranges[ranges.count - 1] = last.lowerBound..<hour + 1
            } else {
                ranges.append(hour..<hour + 1)
            }
        }
        return ranges.compactMap { hours in
            let span =
                Timestamp(
                    hoursSinceEpoch: hours.lowerBound
                )..<Timestamp(hoursSinceEpoch: hours.upperBound)
            return span.overlaps(window) ? span.clamped(to: window) : nil
        }
    }
}
