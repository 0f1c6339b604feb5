package import Samples

/// Marks of samples on their round and resolver, so that a samples file and a store say later what
/// the run itself said.
extension Recording {
    private static let untruthWord = "untruth: "

    /// Says in the samples of a round that it is no evidence, as ``EvidenceBuilder/unusedRounds`` has it.
    package mutating func markUnused() {
        for index in samples.indices { samples[index].observation.add(.noEvidence) }
    }

    /// Says in one sample of each resolver of `tampering`, by its label, how it was found not to
    /// tell the truth.
    package mutating func mark(_ tampering: [String: String]) {
        guard !tampering.isEmpty else { return }
        var told: Set<Int32> = []
        for index in samples.indices where targets.indices.contains(Int(samples[index].target)) {
            let target = samples[index].target
            guard let untruth = tampering[targets[Int(target)].label], told.insert(target).inserted
            else { continue }
            samples[index].observation.add(.tampering, detail: Self.untruthWord + untruth)
        }
    }

    /// By label how resolvers were found not to tell the truth, as the samples say.
    package var tampering: [String: String] {
        var tampering: [String: String] = [:]
        for sample in samples where targets.indices.contains(Int(sample.target)) {
            guard sample.observation.flags.contains(.tampering),
                let detail = sample.observation.extras?.detail
            else { continue }
            for part in detail.split(separator: "; ") where part.hasPrefix(Self.untruthWord) {
                let label = targets[Int(sample.target)].label
                tampering[label] = String(part.dropFirst(Self.untruthWord.count))
            }
        }
        return tampering
    }

    /// The rounds with their samples, run after run in the order in which these began. A round is
    /// whole where each resolver of a series that was asked in it has every question of the series
    /// in its run.
    package var roundsInOrder: [(round: Round, samples: [Sample])] {
        var members = [[Sample]](repeating: [], count: rounds.count)
        var starts: [Int32: Timestamp] = [:]
        // By run and series.
        var asked: [Int32: [Series: (targets: Set<Int32>, questions: Set<Int32>)]] = [:]
        for sample in samples {
            guard targets.indices.contains(Int(sample.target)), let round = round(of: sample)
            else { continue }
            members[Int(sample.round)].append(sample)
            starts[round.run] = min(starts[round.run] ?? sample.moment, sample.moment)
            let series = targets[Int(sample.target)].series
            asked[round.run, default: [:]][series, default: ([], [])].targets.insert(sample.target)
            asked[round.run, default: [:]][series, default: ([], [])].questions
                .insert(sample.question)
        }
        let epoch = Timestamp(nanoseconds: 0)
        return rounds.indices.filter { !members[$0].isEmpty }
            .sorted { left, right in
                let (left, right) = (rounds[left], rounds[right])
                return (starts[left.run] ?? epoch, left.run, left.number)
                    < (starts[right.run] ?? epoch, right.run, right.number)
            }
            .map { index in
                var round = rounds[index]
                let bySeries = Dictionary(grouping: members[index]) {
                    targets[Int($0.target)].series
                }
                let isWhole = bySeries.allSatisfy { series, samples in
                    let places = Set(samples.map { Int64($0.target) << 32 | Int64($0.question) })
                    let all = asked[round.run]?[series]
                    return places.count >= (all?.targets.count ?? 0) * (all?.questions.count ?? 0)
                }
                round.isWhole = round.isWhole && isWhole
                return (round, members[index])
            }
    }
}

extension Observation {
    /// Adds to what is told of it.
    fileprivate mutating func add(_ flags: SampleFlags, detail words: String? = nil) {
        let details = [extras?.detail, words].compactMap(\.self)
        extras = Extras(
            connect: extras?.connect,
            handshake: extras?.handshake,
            udp: extras?.udp,
            site: extras?.site,
            extendedErrors: extras?.extendedErrors,
            connection: extras?.connection,
            detail: details.isEmpty ? nil : details.joined(separator: "; "),
            flags: self.flags.union(flags)
        )
    }
}
