import Samples

extension Recording {
    /// The rounds in which every one of at least three resolvers in two networks was silent.
    var outages: Set<RoundKey> {
        var silent: [RoundKey: [Sample]] = [:]
        var spoken: Set<RoundKey> = []
        for sample in samples {
            let key = RoundKey(run: sample.run, round: sample.round)
            switch sample.observation.outcome {
            case .timeout: silent[key, default: []].append(sample)
            case .blocked: break
            default: spoken.insert(key)
            }
        }
        return Set(
            silent.filter { key, samples in
                !spoken.contains(key) && RoundMarks.of(samples, targets: targets).contains(.outage)
            }.keys
        )
    }
}
