package import DNSWire

/// Samples with the texts that they refer to: a run just measured, a samples file and a window of
/// a store are the same thing to everything that reads them.
package struct Recording: Sendable {
    /// One execution of a plan at one place.
    package struct Run: Hashable, Sendable {
        package var id: String
        package var vantage: String
        package var timeout: Duration

        package init(id: String, vantage: String, timeout: Duration) {
            self.id = id
            self.vantage = vantage
            self.timeout = timeout
        }

        /// The name of a run that starts then, such as `20261121T033512Z-0badcafe`; `random` tells
        /// it from another of the same second.
        package static func id(at start: Timestamp, random: UInt32) -> String {
            let digits = String(random, radix: 16)
            let zeros = String(repeating: "0", count: 8 - digits.count)
            return "\(start.compact)-\(zeros)\(digits)"
        }
    }

    /// A resolver under its label, over one transport, in one series. Two labels may name one
    /// endpoint; they are kept apart.
    package struct Target: Hashable, Sendable {
        package var label: String
        /// Address and port, such as `127.0.0.1:5311` or `[::1]:53`.
        package var endpoint: String
        /// `udp`, `tcp`, `tls`, `https`, `quic` or `h3`.
        package var transport: String
        package var series: Series

        package init(label: String, endpoint: String, transport: String, series: Series) {
            self.label = label
            self.endpoint = endpoint
            self.transport = transport
            self.series = series
        }
    }

    package var runs: [Run]
    package var targets: [Target]
    /// A name of the uncached series is `*.` and its zone: see ``Plan/zoneCount``.
    package var questions: [Question]
    /// In the order of sending.
    package var samples: [Sample]

    package init(runs: [Run], targets: [Target], questions: [Question], samples: [Sample] = []) {
        self.runs = runs
        self.targets = targets
        self.questions = questions
        self.samples = samples
    }

    /// The samples of one target, in the order of sending.
    package func samples(ofTarget target: Int) -> [Sample] {
        samples.filter { Int($0.target) == target }
    }

    /// The samples of every target, in the order of sending; one pass for all.
    package func samplesByTarget() -> [[Sample]] {
        var slices = [[Sample]](repeating: [], count: targets.count)
        for sample in samples where slices.indices.contains(Int(sample.target)) {
            slices[Int(sample.target)].append(sample)
        }
        return slices
    }

    /// Puts the samples into the order of sending: by when they left, or should have.
    package mutating func sortBySending() {
        samples.sort { left, right in
            (left.observation.sent ?? left.scheduled, left.run, left.round)
                < (right.observation.sent ?? right.scheduled, right.run, right.round)
        }
    }
}

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
