/// The sites from which one resolver answered in a run or a history, in order of time. Data is added piece by
/// piece.
package struct SiteHistory: Hashable, Sendable {
    package private(set) var intervals: [SiteInterval] = []

    package init() {}

    /// Adds a sample of the resolver, after all earlier ones. A sample without a site is ignored.
    package mutating func add(_ sample: Sample) {
        guard let site = sample.observation.extras?.site else { return }
        add(site, at: sample.moment)
    }

    /// Adds one answer, after all earlier ones.
    package mutating func add(_ site: String, at moment: Timestamp) {
        add(SiteInterval(site: site, first: moment, last: moment, answers: 1))
    }

    /// Adds intervals of the same resolver and place, of any time.
    package mutating func add(_ other: SiteHistory) {
        let all = (intervals + other.intervals).sorted { $0.first < $1.first }
        intervals = []
        for interval in all { add(interval) }
    }

    private mutating func add(_ interval: SiteInterval) {
        guard let last = intervals.indices.last, intervals[last].site == interval.site else {
            return intervals.append(interval)
        }
        intervals[last].last = max(intervals[last].last, interval.last)
        intervals[last].answers += interval.answers
    }

    /// The sites without repetitions, in the order of their first answers.
    package var sites: [String] { intervals.map(\.site).uniqued }

    /// The time of each answer whose site differs from the previous answer's site.
    package var changes: [Timestamp] { intervals.dropFirst().map(\.first) }

    /// The times from which on all answers came from other sites than before, according to the adjacent
    /// answers. Servers of one service that take turns do not count as a move.
    package var moves: [SiteMove] {
        intervals.indices.dropFirst().compactMap { index in
            guard let before = Self.sites(of: intervals[..<index].reversed()),
                let after = Self.sites(of: intervals[index...]),
                before.all.isDisjoint(with: after.all)
            else { return nil }
            return SiteMove(
                moment: intervals[index].first,
                from: before.commonest,
                to: after.commonest
            )
        }
    }

    /// The maximum number of examined answers on each side of a move, and the required minimum.
    private static let answersBeside = (most: 30, least: 3)

    /// The sites of the first answers; `nil` if there are too few answers.
    private static func sites(
        of intervals: some Sequence<SiteInterval>
    ) -> (all: Set<String>, commonest: String)? {
        var counts: [String: Int] = [:]
        var answers = 0
        for interval in intervals {
            guard answers < answersBeside.most else { break }
            let taken = min(interval.answers, answersBeside.most - answers)
            counts[interval.site, default: 0] += taken
            answers += taken
        }
        guard answers >= answersBeside.least,
            let commonest = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key
        else { return nil }
        return (Set(counts.keys), commonest)
    }
}

/// The sites of one resolver, queried from one place.
package struct AnsweringSites: Hashable, Sendable {
    package var vantage: String
    package var target: Recording.Target
    package var history: SiteHistory

    package init(vantage: String, target: Recording.Target, history: SiteHistory = SiteHistory()) {
        self.vantage = vantage
        self.target = target
        self.history = history
    }
}

extension [AnsweringSites] {
    /// One element per resolver and place, in the order of their first appearance.
    package var merged: [AnsweringSites] {
        var merged: [AnsweringSites] = []
        var known: [AnsweringSites: Int] = [:]
        for sites in self {
            let source = AnsweringSites(vantage: sites.vantage, target: sites.target)
            if let index = known[source] {
                merged[index].history.add(sites.history)
            } else {
                known[source] = merged.count
                merged.append(sites)
            }
        }
        return merged
    }
}

extension Recording {
    /// The sites of every target at every place. Targets without sites are left out.
    package var answeringSites: [AnsweringSites] {
        var histories: [[Int]: SiteHistory] = [:]
        for sample in samples where targets.indices.contains(Int(sample.target)) {
            guard sample.observation.extras?.site != nil, let round = round(of: sample),
                runs.indices.contains(Int(round.run))
            else { continue }
            histories[[Int(round.run), Int(sample.target)], default: SiteHistory()].add(sample)
        }
        return histories.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { source, history in
                let (vantage, target) = (runs[source[0]].vantage, targets[source[1]])
                return AnsweringSites(vantage: vantage, target: target, history: history)
            }
            .merged
    }
}

/// Successive answers of one resolver from the same site, as NSID names it (RFC 5001).
package struct SiteInterval: Hashable, Sendable {
    package var site: String
    /// The sending times of the first and the last query of these answers.
    package var first: Timestamp
    package var last: Timestamp
    package var answers: Int
}

/// A change of a resolver's answers from one site to another.
package struct SiteMove: Hashable, Sendable {
    package var moment: Timestamp
    /// The most frequent sites next to the move, before and after it.
    package var from: String
    package var to: String
}
