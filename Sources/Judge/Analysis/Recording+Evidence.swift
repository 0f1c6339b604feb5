package import Samples

/// Marks in samples about their round and resolver. A samples file and a store then contain the same findings
/// as the run.
extension Recording {
    /// Flags the samples of a round as no evidence, as in ``EvidenceBuilder/unusedRounds``.
    package mutating func markUnused() {
        for index in samples.indices { samples[index].observation.add(.noEvidence) }
    }

    /// Marks one sample of each resolver in `tampering`, which contains by label the finding that it gives
    /// false answers.
    package mutating func mark(_ tampering: [String: String]) {
        guard !tampering.isEmpty else { return }
        var told: Set<Int32> = []
        for index in samples.indices where targets.indices.contains(Int(samples[index].target)) {
            let target = samples[index].target
            guard let finding = tampering[targets[Int(target)].label], told.insert(target).inserted
            else { continue }
            samples[index].observation.add(.tampering, detail: Detail(tampering: finding))
        }
    }

    /// Adds the network's round trip in nanoseconds, per target, to the first sample of the target.
    package mutating func note(_ roundTrips: [Int: Int64]) {
        var told: Set<Int32> = []
        for index in samples.indices where told.insert(samples[index].target).inserted {
            guard let roundTrip = roundTrips[Int(samples[index].target)] else { continue }
            samples[index].observation.add(networkRTT: roundTrip)
        }
    }

    /// The findings of false answers in the samples, by label.
    package var tampering: [String: String] {
        var tampering: [String: String] = [:]
        for sample in samples where targets.indices.contains(Int(sample.target)) {
            guard let words = sample.observation.extras?.tampering else { continue }
            tampering[targets[Int(sample.target)].label] = words
        }
        return tampering
    }
}
