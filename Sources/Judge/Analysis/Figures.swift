package import Samples
package import Statistics

/// Counts, times, connections and cache results of queries, from samples, from hourly sums, or from both. The
/// figures of parts can be merged into the figures of the whole.
package struct Figures: Sendable {
    package private(set) var counts = OutcomeCounts()
    /// The times of samples in milliseconds, in the order of sending.
    package private(set) var answers = AnswerTimes()
    /// The times of hourly sums; `nil` if all figures are from samples.
    package private(set) var sums: LatencyTally?
    package private(set) var connections = ConnectionTally()
    /// Cache hits and misses among the names that warm-ups asked for.
    package private(set) var warmups = HitShare()
    /// The rounds that asked the resolver, and those without an answer. Empty if they are unknown.
    package internal(set) var availability = Availability()
    /// The shortest timeout. A value beyond it is beyond the timeout of every part.
    package private(set) var timeout: Duration?

    package init() {}

    /// Creates the figures of an hour.
    package init(_ sum: HourlySum) {
        counts = sum.counts
        sums = sum.latency
        connections.add(sum)
        warmups = sum.figures.warmups
        availability = sum.figures.availability
        timeout = sum.timeout
    }

    package mutating func add(_ observation: Observation, in series: Series) {
        counts.count(observation)
        if let time = observation.answerTime(in: series) { answers.append(time) }
        connections.add(observation, in: series)
        if let warmup = observation.extras?.warmup { warmups.add(warmup) }
    }

    /// Counts a place by its median in milliseconds, `nil` beyond its timeout.
    mutating func add(median: Double?, timeout: Duration) {
        counts.count(median == nil ? .timeout : .answered, responseCode: nil)
        if let median { answers.append(median) }
        limit(to: timeout)
    }

    package mutating func limit(to other: Duration) { timeout = min(timeout ?? other, other) }

    /// Adds the figures of later queries.
    package mutating func merge(_ other: Self) {
        counts.merge(other.counts)
        answers.append(other.answers)
        connections.merge(other.connections)
        warmups.merge(other.warmups)
        availability.merge(other.availability)
        if let more = other.sums {
            if sums == nil { sums = more } else { sums?.merge(more) }
        }
        if let other = other.timeout { limit(to: other) }
    }

    package func merging(_ other: Self) -> Self {
        var all = self
        all.merge(other)
        return all
    }

    /// The timeout in milliseconds.
    private var limit: Double { (timeout ?? .seconds(5)).milliseconds }

    /// The figures of queries that opened a connection; empty with hourly sums.
    package var openings: [ConnectionSetupFigures] {
        sums == nil ? connections.openings(timeout: limit) : []
    }

    /// The summary of every measured query. A query without an answer counts as beyond the timeout. The
    /// summary is exact if all figures are from samples. Otherwise its quantiles are within 1 %.
    package var latency: LatencySummary {
        sums == nil
            ? LatencySummary(answers: Array(answers), nonAnswers: counts.failed, timeout: limit)
            : tally.summary(timeout: limit)
    }

    /// The tally of all figures, with quantiles within 1 %.
    package var tally: LatencyTally {
        var tally = sums ?? LatencyTally()
        var previous: Double?
        for answer in answers {
            tally.insert(answer: answer, after: previous)
            previous = answer
        }
        // Derived from the counts, because an answer without a time in its file does not count in latency.
        tally.nonAnswers = counts.failed
        return tally
    }
}

extension CountedSamples {
    /// Returns the figures of each target, in their order. `timeout` is for a recording without runs.
    package func figures(timeout: Duration) -> [Figures] {
        var figures = recording.targets.map { _ in Figures() }
        add(to: &figures)
        let shortest = recording.runs.map(\.timeout).min() ?? timeout
        for index in figures.indices { figures[index].limit(to: shortest) }
        return figures
    }

    /// Returns the outcomes at a place, per target.
    package func outcomes(from vantage: String) -> [Recording.Target: OutcomeCounts] {
        let found = figures { sample, round in
            recording.runs[Int(round.run)].vantage == vantage ? sample.target : nil
        }
        return found.reduce(into: [:]) { $0[recording.targets[Int($1.place)]] = $1.sum.counts }
    }

    /// Adds the samples to the figures of their targets.
    func add(to figures: inout [Figures]) {
        for sample in recording.samples
        where recording.targets.indices.contains(Int(sample.target)) {
            let target = Int(sample.target)
            figures[target].add(sample.observation, in: recording.targets[target].series)
        }
    }

    /// Returns the figures of the samples, grouped by place. `countsRounds` is false if a place can have a part
    /// of a round's queries to a resolver.
    package func figures<Place: Hashable>(
        countsRounds: Bool = true,
        by place: (Sample, Round) -> Place?
    ) -> [(place: Place, sum: Figures)] {
        var rounds = countsRounds ? AskedRounds(of: recording) : nil
        var found = sums(of: Figures(), by: place) { figures, number, sample, round in
            figures.add(sample.observation, in: recording.targets[Int(sample.target)].series)
            figures.limit(to: recording.runs[Int(round.run)].timeout)
            rounds?.add(sample, at: number)
        }
        let counted = rounds?.availabilities(found.count) ?? []
        for (number, availability) in counted.enumerated() {
            found[number].sum.availability = availability
        }
        return found
    }

    /// Returns the sums of the samples, grouped by their place. Places consist of numbers, because comparing
    /// texts is slow. Samples without a place, or with invalid references, are excluded. `add` receives the
    /// number of the place in the result.
    package func sums<Place: Hashable, Sum>(
        of none: Sum,
        by place: (Sample, Round) -> Place?,
        add: (inout Sum, Int, Sample, Round) -> Void
    ) -> [(place: Place, sum: Sum)] {
        var index: [Place: Int] = [:]
        var found: [(place: Place, sum: Sum)] = []
        for sample in recording.samples {
            guard let round = recording.round(of: sample),
                recording.targets.indices.contains(Int(sample.target)),
                recording.questions.indices.contains(Int(sample.question)),
                recording.runs.indices.contains(Int(round.run)), let place = place(sample, round)
            else { continue }
            let position = index[place] ?? found.count
            if position == found.count {
                index[place] = position
                found.append((place, none))
            }
            add(&found[position].sum, position, sample, round)
        }
        return found
    }
}

extension Recording {
    /// For each run, the first run at the same place. Runs are many, and places few.
    package var firstRuns: [Int32] { runs.map(\.vantage).firstEqual }
}

extension Array where Element: Hashable {
    /// For each element, the index of the first element that is equal to it.
    var firstEqual: [Int32] {
        var first: [Element: Int32] = [:]
        return enumerated().map { index, element in
            let known = first[element] ?? Int32(clamping: index)
            first[element] = known
            return known
        }
    }
}
