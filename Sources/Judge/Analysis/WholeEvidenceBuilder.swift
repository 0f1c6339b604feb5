import Samples
import Statistics

/// The evidence over cached and uncached names together: the resolver for which a user waits less.
struct WholeEvidenceBuilder: Sendable {
    /// The candidates that are in both series, by their index in each, and their targets with cached names.
    private let members: [(cached: Int, uncached: Int, target: Int)]
    private(set) var process: ComparisonProcess

    /// Creates a builder; `nil` if no candidate was compared with the baseline in both series.
    init?(_ builders: [SeriesEvidenceBuilder], targets: [Recording.Target]) {
        guard let cached = builders.first(where: { $0.series == .cached }), cached.baseline != nil,
            let uncached = builders.first(where: { $0.series == .uncached })
        else { return nil }
        members = cached.candidates.enumerated().compactMap { place, member in
            let target = cached.members[member]
            let sought = targets[target].inSeries(.uncached)
            return uncached.candidates.firstIndex { targets[uncached.members[$0]] == sought }
                .map { (place, $0, target) }
        }
        guard !members.isEmpty else { return nil }
        process = ComparisonProcess(candidates: members.count, rules: cached.process.rules)
        let tampering = cached.process.tampering
        process.tampering = Set(
            members.indices.filter { tampering.contains(members[$0].cached) }
        )
    }

    /// Adds the `pairs` of a round or an hour, by series and candidate.
    mutating func add(_ pairs: [Series: [PairedRound]]) {
        guard let cached = pairs[.cached], let uncached = pairs[.uncached], !cached.isEmpty,
            !uncached.isEmpty
        else { return }
        process.add(
            members.map { PairedRound(cached: cached[$0.cached], uncached: uncached[$0.uncached]) }
        )
    }

    /// Stores the progress of the time to content of the cached series' candidates.
    mutating func take(contents: [ContentProgress?]) {
        process.take(contents: members.map { contents[$0.cached] })
    }

    /// Returns the comparisons, each with the time to content of its candidate from `cached`.
    func candidates(
        ending: ComparisonProcess.Ending,
        beside cached: [SeriesEvidence.Candidate]
    ) -> [SeriesEvidence.Candidate] {
        zip(members, process.comparisons(ending: ending)).map { member, comparison in
            SeriesEvidence.Candidate(
                target: member.target,
                comparison: comparison,
                content: cached[member.cached].content
            )
        }
    }
}
