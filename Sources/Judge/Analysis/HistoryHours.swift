package import Samples
package import Statistics

/// The hours of each resolver at each place, from samples, hourly sums, or both. In hours with samples, only
/// the samples count.
package struct HistoryHours: HistorySink, Sendable {
    /// One resolver at one place.
    package struct Subject: Hashable {
        package var vantage: String
        package var target: Recording.Target

        package init(vantage: String, target: Recording.Target) {
            (self.vantage, self.target) = (vantage, target)
        }
    }

    package var provenance: Provenance
    private(set) var figures: [Subject: [Int: Figures]] = [:]

    /// Creates an empty history. `rounds` contains all rounds of the window.
    package init(clock: LocalClock, rounds: [RoundMoment] = []) {
        provenance = Provenance(clock: clock, rounds: rounds)
    }

    package mutating func add(_ counted: CountedSamples) {
        let recording = counted.recording
        provenance.add(samples: recording.samples.lazy.map { $0.moment })
        provenance.order.add(counted)
        let firstRuns = recording.firstRuns
        let found = counted.figures { sample, round in
            let hour = sample.moment.hoursSinceEpoch
            return SubjectPlace(run: firstRuns[Int(round.run)], target: sample.target, time: hour)
        }
        for (place, sum) in found {
            figures[place.subject(in: recording), default: [:]].add(sum, at: place.time)
        }
    }

    package mutating func add(_ counted: CountedSum) {
        let sum = counted.sum
        provenance.add(sum)
        let subject = Subject(vantage: sum.vantage, target: sum.target)
        figures[subject, default: [:]].add(Figures(sum), at: sum.hour.hoursSinceEpoch)
    }

    package var log: RoundLog { provenance.log }

    /// The subjects in any order.
    package var subjects: some Collection<Subject> { figures.keys }

    /// Whether nothing was added, including rounds.
    package var isEmpty: Bool { log.isEmpty && figures.isEmpty }

    /// All measurements of one resolver at one place.
    package struct Timeline {
        package var subject: Subject
        /// The label, with an addition if several resolvers have it.
        package var name: String
        /// The hours in ascending order, in which changes are detected.
        package let hours: [(key: Int, value: Figures)]
        let clock: LocalClock

        /// Returns one block per hour, with the hour of the week by the clock.
        package func blocks() -> [HourlyBlock] {
            hours.map { hour, figures in
                let time = clock.time(at: Timestamp(hoursSinceEpoch: hour))
                let ofWeek = (time.date.weekday - 1) * 24 + time.hour
                let (answers, failed) = (Array(figures.answers), figures.counts.failed)
                var block =
                    figures.sums.map {
                        HourlyBlock(
                            hour: hour,
                            hourOfWeek: ofWeek,
                            sketch: $0.sketch,
                            failed: failed
                        )
                    }
                    ?? HourlyBlock(hour: hour, hourOfWeek: ofWeek, answers: answers, failed: failed)
                block.warmups = figures.warmups
                return block
            }
        }

        /// Returns the sum of all hours.
        package func total() -> Figures { hours.reduce(into: Figures()) { $0.merge($1.value) } }

        /// The number of answers from a server that was not authenticated, because no certificate was
        /// verified.
        package var unverified: Int { hours.reduce(0) { $0 + $1.value.connections.unverified } }
    }

    /// The timelines by place, and by name within each place.
    package var timelines: [Timeline] { timelines(after: nil) }

    /// Returns the timelines with the hours of `lead` added. Nothing else of `lead` is used, neither its
    /// rounds nor its provenance.
    package func timelines(after lead: HistoryHours?) -> [Timeline] {
        let subjects = Set(figures.keys).union(lead?.figures.keys.map(\.self) ?? [])
        let names = subjects.map(\.target).namesByTarget
        let places = Set(subjects.map(\.vantage)).count
        return subjects.map { subject in
            let name = names[subject.target] ?? subject.target.label
            let (own, before) = (figures[subject] ?? [:], lead?.figures[subject] ?? [:])
            var hours = own.map { hour, figures in
                var figures = figures
                if let more = before[hour] { figures.add(sameHour: more) }
                return (key: hour, value: figures)
            }
            hours += before.lazy.filter { own[$0.key] == nil }
            hours.sort { $0.key < $1.key }
            return Timeline(
                subject: subject,
                name: places > 1 ? subject.target.name(name, at: subject.vantage) : name,
                hours: hours,
                clock: provenance.clock
            )
        }
        .sorted { ($0.subject.vantage, $0.name) < ($1.subject.vantage, $1.name) }
    }

    /// The figures of each target in each hour, over all places. Targets are sorted by name, with plain
    /// transports first.
    package var hoursByTarget: [(target: Recording.Target, hours: [Int: Figures])] {
        var found: [Recording.Target: [Int: Figures]] = [:]
        for (subject, hours) in figures {
            // The hours of a single place are shared instead of copied, because a year has thousands.
            if found[subject.target]?.merge(hours, uniquingKeysWith: { $0.merging($1) }) == nil {
                found[subject.target] = hours
            }
        }
        return found.map { ($0.key, $0.value) }.sorted { left, right in
            let order = (left.0.transportOrder, right.0.transportOrder)
            return (left.0.label, order.0, left.0.endpoint, left.0.series.order)
                < (right.0.label, order.1, right.0.endpoint, right.0.series.order)
        }
    }

    /// The figures of every hour.
    package var all: some Sequence<Figures> { figures.values.lazy.flatMap(\.values) }
}

/// The place and resolver of a sample, as numbers of its recording.
struct SubjectPlace<Time: Hashable>: Hashable {
    /// The first run at the place.
    var run: Int32
    var target: Int32
    var time: Time

    func subject(in recording: Recording) -> HistoryHours.Subject {
        HistoryHours.Subject(
            vantage: recording.runs[Int(run)].vantage,
            target: recording.targets[Int(target)]
        )
    }
}

extension [Int: Figures] {
    /// Adds the figures of an hour.
    fileprivate mutating func add(_ figures: Figures, at hour: Int) {
        guard let index = index(forKey: hour) else { return self[hour] = figures }
        values[index].add(sameHour: figures)
    }
}

extension Figures {
    /// Adds figures of the same hour. If only one of both has samples, the samples count.
    fileprivate mutating func add(sameHour other: Figures) {
        if (sums == nil) == (other.sums == nil) {
            merge(other)
        } else if other.sums == nil {
            self = other
        }
    }
}
