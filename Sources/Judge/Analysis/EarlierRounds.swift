package import Samples
package import Statistics

/// Earlier rounds that compared candidates with a baseline. They are the input for planning a run. Per
/// series, only the rounds with the most frequent set of names are used.
package struct EarlierRounds: Sendable {
    /// The rounds in which one candidate and the baseline were asked.
    package struct Pair: Sendable {
        /// Indices of the recording's targets.
        package let baseline: Int
        package let candidate: Int
        /// The rounds, grouped by hour and vantage point.
        package var hours: [[PairedRound]]
    }

    /// The questions and pairs of targets that were asked in a series.
    package struct Scope: Sendable {
        package let series: Series
        /// Indices of the recording's questions.
        package let questions: [Int]
        /// Pairs with at least one round, in the order of the targets.
        package let pairs: [Pair]
    }

    /// The series that have a pair.
    package let scopes: [Scope]
    /// The vantage points of the rounds.
    package let vantages: Set<String>

    /// Creates the rounds that asked targets with the label `baseline` and others. If `candidates` is given,
    /// only others with one of these labels count.
    package init(of counted: CountedSamples, baseline: String, candidates: Set<String>? = nil) {
        let recording = counted.recording
        var rounds: [Series: [AskedRound]] = [:]
        for (round, samples) in recording.roundsInOrder where round.isWhole && round.marks.isEmpty {
            let vantage = recording.runs[Int(round.run)].vantage
            let bySeries = Dictionary(grouping: samples) {
                recording.targets[Int($0.target)].series
            }
            for (series, samples) in bySeries {
                rounds[series, default: []].append(AskedRound(samples, of: series, from: vantage))
            }
        }
        var vantages: Set<String> = []
        // Names as found are asked once, so the length of the run is known.
        scopes = Series.allCases.filter { $0 != .asFound }.compactMap { series in
            let asked = (rounds[series] ?? []).withUsualQuestions
            let members = recording.targets.indices.filter {
                recording.targets[$0].series == series
            }
            let counts = members.map { target in asked.count { $0.outcomes[target] != nil } }
            let known = zip(members, counts).filter { recording.targets[$0.0].label == baseline }
            // If the baseline moved to another address, the address with the most rounds counts.
            guard let first = known.max(by: { $0.1 < $1.1 })?.0 else { return nil }
            let pairs = members.compactMap { target -> Pair? in
                let isMeant = candidates?.contains(recording.targets[target].label) ?? true
                return target == first || !isMeant ? nil : Pair(first, target, asked)
            }
            guard let questions = asked.first?.questions, !pairs.isEmpty else { return nil }
            vantages.formUnion(asked.map(\.hour.vantage))
            return Scope(series: series, questions: questions.sorted(), pairs: pairs)
        }
        self.vantages = vantages
    }
}

/// A round of one series.
private struct AskedRound {
    struct Hour: Hashable {
        var vantage: String
        /// Hours since 1970 (UTC).
        var number: Int
    }

    let hour: Hour
    /// The outcomes per target and question.
    var outcomes: [Int: [Int: QueryOutcome]] = [:]

    init(_ samples: [Sample], of series: Series, from vantage: String) {
        let start = samples.map(\.moment).min() ?? Timestamp(nanoseconds: 0)
        hour = Hour(vantage: vantage, number: start.hoursSinceEpoch)
        for sample in samples {
            outcomes[Int(sample.target), default: [:]][Int(sample.question)] =
                QueryOutcome(sample.observation, in: series)
        }
    }

    var questions: Set<Int> { Set(outcomes.values.flatMap(\.keys)) }
}

extension [AskedRound] {
    /// The rounds with the most frequent set of questions. If several are equally frequent, the most recent
    /// set counts.
    fileprivate var withUsualQuestions: [AskedRound] {
        var counts: [Set<Int>: (rounds: Int, last: Int)] = [:]
        let questions = map(\.questions)
        for (index, asked) in questions.enumerated() {
            counts[asked] = ((counts[asked]?.rounds ?? 0) + 1, index)
        }
        let usual = counts.max { $0.value < $1.value }?.key
        return zip(self, questions).filter { $0.1 == usual }.map(\.0)
    }
}

extension EarlierRounds.Pair {
    /// Returns `nil` if no round asked both.
    fileprivate init?(_ baseline: Int, _ candidate: Int, _ rounds: [AskedRound]) {
        var hours: [AskedRound.Hour: [PairedRound]] = [:]
        for round in rounds {
            guard let own = round.outcomes[baseline], let other = round.outcomes[candidate]
            else { continue }
            let questions = own.keys.sorted()
            let paired = PairedRound(
                baseline: questions.map { own[$0] ?? .missing },
                candidate: questions.map { other[$0] ?? .missing }
            )
            if !paired.pairs.isEmpty { hours[round.hour, default: []].append(paired) }
        }
        guard !hours.isEmpty else { return nil }
        let ordered = hours.sorted {
            ($0.key.number, $0.key.vantage) < ($1.key.number, $1.key.vantage)
        }
        self.init(baseline: baseline, candidate: candidate, hours: ordered.map(\.value))
    }
}
