package import Samples

/// Marks of samples on their round and resolver, so that a samples file and a store say later what
/// the run itself said.
extension Recording {
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
            guard let finding = tampering[targets[Int(target)].label], told.insert(target).inserted
            else { continue }
            samples[index].observation.add(.tampering, detail: Detail(tampering: finding))
        }
    }

    /// Says in the first sample of each target how long the network's round trip to it was, in
    /// nanoseconds.
    package mutating func note(_ roundTrips: [Int: Int64]) {
        var told: Set<Int32> = []
        for index in samples.indices where told.insert(samples[index].target).inserted {
            guard let roundTrip = roundTrips[Int(samples[index].target)] else { continue }
            samples[index].observation.add(networkRTT: roundTrip)
        }
    }

    /// By label how resolvers were found not to tell the truth, as the samples say.
    package var tampering: [String: String] {
        var tampering: [String: String] = [:]
        for sample in samples where targets.indices.contains(Int(sample.target)) {
            guard let words = sample.observation.extras?.tampering else { continue }
            tampering[targets[Int(sample.target)].label] = words
        }
        return tampering
    }
}
