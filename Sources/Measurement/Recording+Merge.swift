import DNSWire

extension Recording {
    /// Adds the samples of `other`, which are later ones or are sorted in afterwards; texts that
    /// both have stay one.
    package mutating func merge(_ other: Recording) {
        guard !other.samples.isEmpty else { return }
        guard !samples.isEmpty else {
            self = other
            return
        }
        let runPlaces = Self.places(of: other.runs, in: &runs)
        let targetPlaces = Self.places(of: other.targets, in: &targets)
        let questionPlaces = Self.places(of: other.questions, in: &questions)
        samples.reserveCapacity(samples.count + other.samples.count)
        for var sample in other.samples {
            sample.run = runPlaces[Int(sample.run)]
            sample.target = targetPlaces[Int(sample.target)]
            sample.question = questionPlaces[Int(sample.question)]
            samples.append(sample)
        }
    }

    private static func places<Text: Hashable>(
        of others: [Text],
        in texts: inout [Text]
    ) -> [Int32] {
        var known: [Text: Int32] = [:]
        for (index, text) in texts.enumerated() { known[text] = Int32(clamping: index) }
        return others.map { text in
            if let place = known[text] { return place }
            let place = Int32(clamping: texts.count)
            known[text] = place
            texts.append(text)
            return place
        }
    }
}
