extension Plan {
    /// The questions in `order` that open a group of questions asked at one moment.
    func openers(_ order: [Int]) -> [Int] {
        questionsAtOnce > 1 ? order.filter { $0.isMultiple(of: questionsAtOnce) } : order
    }

    /// The `probes` of openers, each followed by the other questions of its group.
    func together(_ probes: [Probe]) -> [Probe] {
        guard questionsAtOnce > 1 else { return probes }
        return probes.flatMap { probe in
            (0..<questionsAtOnce).map { place in
                var other = probe
                other.question += place
                return other
            }
        }
    }
}
