import DNSWire
import Samples

/// A filter of a history's samples, beside that by resolver: the values that are wanted; `nil` is
/// any.
package struct SampleFilter: Sendable {
    /// As files and stores write them.
    package var transports: Set<String>?
    /// In lower case, as names are equal without regard to case.
    package var names: Set<String>?
    package var vantages: Set<String>?
    package var sites: Set<String>?

    package init() {}

    /// Whether hourly sums do not tell it, so that only samples do.
    package var needsSamples: Bool { names != nil || sites != nil }

    func contains(_ target: Recording.Target) -> Bool {
        transports?.contains(target.transport.description) ?? true
    }

    func contains(vantage: String) -> Bool { vantages?.contains(vantage) ?? true }

    func contains(_ sum: HourlySum) -> Bool {
        !needsSamples && contains(sum.target) && contains(vantage: sum.vantage)
    }

    /// The samples that are wanted, with their targets and questions alone.
    func applied(to recording: Recording) -> Recording {
        guard transports != nil || names != nil || vantages != nil || sites != nil else {
            return recording
        }
        var part = recording
        let targets = Self.places(&part.targets, contains)
        let questions = Self.places(&part.questions) {
            names?.contains($0.name.description.lowercased()) ?? true
        }
        let isFromThere = recording.rounds.map { round in
            contains(vantage: recording.runs[Int(round.run)].vantage)
        }
        part.samples = recording.samples.compactMap { sample in
            guard isFromThere[Int(sample.round)], let target = targets[Int(sample.target)],
                let question = questions[Int(sample.question)],
                sites.map({ $0.contains(sample.observation.extras?.site ?? "") }) ?? true
            else { return nil }
            var sample = sample
            (sample.target, sample.question) = (target, question)
            return sample
        }
        return part
    }

    /// Leaves the wanted `texts`, and returns the place of each that was there, if it still is.
    private static func places<Text>(
        _ texts: inout [Text],
        _ isWanted: (Text) -> Bool
    ) -> [Int32?] {
        var kept: [Text] = []
        let places = texts.map { text -> Int32? in
            guard isWanted(text) else { return nil }
            kept.append(text)
            return Int32(clamping: kept.count - 1)
        }
        texts = kept
        return places
    }
}
