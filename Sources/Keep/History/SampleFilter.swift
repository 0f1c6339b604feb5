import DNSWire
import Samples

/// A filter of a history's samples, in addition to the filter by resolver. Each property contains the
/// selected values; `nil` selects all.
package struct SampleFilter: Sendable {
    /// Transports as files and stores write them.
    package var transports: Set<String>?
    /// Names in lower case, because names are compared without regard to case.
    package var names: Set<String>?
    package var vantages: Set<String>?
    package var sites: Set<String>?

    package init() {}

    /// Whether the filter needs samples, because hourly sums do not contain the filtered values.
    package var needsSamples: Bool { names != nil || sites != nil }

    func contains(_ target: Recording.Target) -> Bool {
        transports?.contains(target.transport.description) ?? true
    }

    func contains(vantage: String) -> Bool { vantages?.contains(vantage) ?? true }

    func contains(_ sum: HourlySum) -> Bool {
        !needsSamples && contains(sum.target) && contains(vantage: sum.vantage)
    }

    /// The selected samples, with only their targets and questions.
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

    /// Keeps the selected `texts`. Returns the new index of each old text; `nil` for a removed one.
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
