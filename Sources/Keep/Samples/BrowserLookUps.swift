import DNSWire
import Statistics

/// Turns the queries of the browser series into look-ups. The samples of one name, resolver and round become
/// one sample. Its time is the time that a browser waits before it connects.
struct BrowserLookUps {
    private struct Place: Hashable {
        var round: Int32
        var target: Int32
        /// The question for A.
        var name: Int32
    }

    /// Whether each target belongs to the browser series.
    private let isAsked: [Bool]
    /// The A question of the same name, and the type, for each question.
    private let names: [(first: Int32, type: RecordType)]
    private let hasAny: Bool

    init(targets: [Recording.Target], questions: [Question]) {
        isAsked = targets.map { $0.series == .browser }
        hasAny = isAsked.contains(true)
        var firsts: [DomainName: Int32] = [:]
        guard hasAny else {
            names = []
            return
        }
        for (index, question) in questions.enumerated() where question.type == .a {
            firsts[question.name] = Int32(clamping: index)
        }
        names = questions.map { (firsts[$0.name] ?? -1, $0.type) }
    }

    /// Replaces the queries of each name in `samples` with one look-up. Names with missing queries are left
    /// out.
    func derived(_ samples: [Sample]) -> [Sample] {
        guard hasAny else { return samples }
        var groups: [Place: [RecordType: Observation]] = [:]
        for sample in samples {
            if let place = place(of: sample) {
                groups[place, default: [:]][names[Int(sample.question)].type] = sample.observation
            }
        }
        // A name whose queries were cut off is left out as well.
        let withAAAA = Set(groups.filter { $0.value[.aaaa] != nil }.map(\.key.round))
        return samples.compactMap { sample in
            guard let place = place(of: sample) else { return sample }
            guard place.name == sample.question, let group = groups[place] else { return nil }
            guard let https = group[.https],
                group[.aaaa] != nil || !withAAAA.contains(sample.round)
            else { return nil }
            var lookUp = sample
            lookUp.observation = .lookUp(a: sample.observation, aaaa: group[.aaaa], https: https)
            return lookUp
        }
    }

    /// The place of a sample; `nil` if it belongs to another series.
    private func place(of sample: Sample) -> Place? {
        let (target, question) = (Int(sample.target), Int(sample.question))
        guard isAsked.indices.contains(target), isAsked[target], names.indices.contains(question)
        else { return nil }
        return Place(round: sample.round, target: sample.target, name: names[question].first)
    }
}

extension Observation {
    /// The look-up that results from the responses to its queries.
    fileprivate static func lookUp(
        a: Observation,
        aaaa: Observation?,
        https: Observation
    ) -> Observation {
        var lookUp = a
        lookUp.add([a, aaaa, https].compactMap(\.?.flags).reduce([]) { $0.union($1) })
        // A query that was not sent, or a response that blocks the name, contains no information about speed.
        guard a.outcome.isMeasured else { return lookUp }
        let wait = BrowserWait.time(
            a: a.response,
            aaaa: aaaa?.response,
            https: https.response.time
        )
        if wait.isFinite {
            lookUp.roundTrip = Int64((wait * 1e6).rounded())
            (lookUp.outcome, lookUp.responseCode) = (.answered, .noError)
            return lookUp
        }
        lookUp.roundTrip = nil
        // Without an address, the outcome comes from the query that was not answered.
        let silent = [a, aaaa].compactMap(\.self).first { !$0.response.time.isFinite }
        lookUp.outcome = silent?.outcome ?? .failed
        lookUp.responseCode = silent == nil ? a.responseCode : nil
        if let cause = silent?.extras?.cause { lookUp.add(cause: cause) }
        return lookUp
    }

    private var response: BrowserWait.Response {
        let isResponse = outcome == .answered || outcome == .failed
        let time = isResponse ? roundTrip.map { Double($0) * 1e-6 } : nil
        return BrowserWait.Response(
            time: time ?? .infinity,
            hasAddress: outcome == .answered && !flags.contains(.negative)
        )
    }
}
