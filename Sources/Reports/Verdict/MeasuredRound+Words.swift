package import Samples

/// What samples tell of their round and resolver, so that a samples file and a store say later what
/// the run itself said.
extension MeasuredRound {
    fileprivate static let untruthWord = "untruth: "

    /// Whether its samples say that it is no evidence.
    var isUnused: Bool { samples.contains { $0.observation.flags.contains(.noEvidence) } }

    /// The samples, but none of a round that says nothing of any resolver; `targets` is what they
    /// refer to.
    package func tellingSamples(targets: [Recording.Target]) -> [Sample] {
        marks(targets: targets).isDisjoint(with: [.outage, .suspended]) ? samples : []
    }

    /// Says in the samples that the round is no evidence, as those of
    /// ``EvidenceFeed/unusedRounds``, and why where the machine slept.
    package mutating func markUnused() {
        for index in samples.indices {
            samples[index].observation.add(slept ? [.noEvidence, .slept] : .noEvidence)
        }
    }

    /// Says in one sample of each resolver of `untruths`, by its label, how it was found not to
    /// tell the truth.
    package mutating func mark(_ untruths: [String: String], targets: [Recording.Target]) {
        guard !untruths.isEmpty else { return }
        var told: Set<Int32> = []
        for index in samples.indices where targets.indices.contains(Int(samples[index].target)) {
            let target = samples[index].target
            guard let untruth = untruths[targets[Int(target)].label], told.insert(target).inserted
            else { continue }
            samples[index].observation.add(.tampering, detail: Self.untruthWord + untruth)
        }
    }
}

extension Recording {
    /// By label how resolvers were found not to tell the truth, as the samples say.
    package var untruths: [String: String] {
        var untruths: [String: String] = [:]
        for sample in samples where targets.indices.contains(Int(sample.target)) {
            guard sample.observation.flags.contains(.tampering),
                let detail = sample.observation.extras?.detail
            else { continue }
            for part in detail.split(separator: "; ")
            where part.hasPrefix(MeasuredRound.untruthWord) {
                let text = part.dropFirst(MeasuredRound.untruthWord.count)
                untruths[targets[Int(sample.target)].label] = String(text)
            }
        }
        return untruths
    }

    /// The rounds in which the machine slept, as the samples say, or `known` does.
    func sleptRounds(_ known: [RoundKey: RoundMarks]) -> Set<RoundKey> {
        let told = samples.filter(\.tellsOfSleep)
            .map { RoundKey(run: $0.run, round: $0.round) }
        return Set(told).union(known.filter { $0.value.contains(.suspended) }.keys)
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
