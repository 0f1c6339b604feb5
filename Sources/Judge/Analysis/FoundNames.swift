import DNSWire
import Samples
package import Statistics

/// The first answers of a resolver to the names of a list, and the names that were in its cache.
package struct FoundNames: Hashable, Sendable {
    package var share = HitShare()
    /// The median times of hits and of misses, in milliseconds; `nil` without any.
    package var hit: Double?
    package var miss: Double?
    /// The mean time of the answers, each limited to one second, in milliseconds; `nil` without any.
    package var mean: Double?
    /// The indices of the recording's targets that share its cache.
    package var oneCache: Set<Int> = []
}

/// The first answers of a run, and the findings about their names.
struct FirstAnswers: Sendable {
    private struct Name: Hashable {
        let run: Int32
        let question: Int32
    }

    private struct Answer {
        /// Milliseconds.
        let time: Double
        let ttl: UInt32?
        /// Whether the answer was NXDOMAIN. Resolvers may know that a name does not exist without having
        /// asked for it (RFC 8198). They may also look it up at nearer servers than existing names.
        let isUnknownName: Bool
        /// Seconds since 1970.
        let sent: Double
        var isHit: Bool?

        var received: Double { sent + time * 1e-3 }
        var expiry: Double? { ttl.map { received + Double($0) } }
    }

    /// The answers per target.
    private var answers: [Int: [Name: Answer]] = [:]
    private var again: [Int: [Double]] = [:]

    /// Adds the samples of a recording, or of a part of it.
    mutating func add(_ recording: Recording) {
        let isMember = recording.targets.map { $0.series == .asFound }
        guard isMember.contains(true) else { return }
        for sample in recording.samples {
            let observation = sample.observation
            let target = Int(sample.target)
            guard isMember.indices.contains(target), isMember[target],
                let round = recording.round(of: sample),
                let time = observation.answerTime(in: .asFound)
            else { continue }
            if round.marks.contains(.again) { again[target, default: []].append(time) }
            guard round.isCounted else { continue }
            let answer = Answer(
                time: time,
                ttl: observation.ttl,
                isUnknownName: observation.responseCode == .nxDomain,
                sent: Double(sample.moment.nanoseconds) * 1e-9
            )
            answers[target, default: [:]][Name(run: round.run, question: sample.question)] = answer
        }
    }

    /// Renumbers the targets to their positions in the list.
    mutating func renumber(_ targets: [Int: Int32]) {
        (answers, again) = (answers.renumbered(targets), again.renumbered(targets))
    }

    /// Returns the findings about each as-found target, by its index.
    func found(among targets: [Recording.Target]) -> [Int: FoundNames] {
        let members = targets.indices.filter { targets[$0].series == .asFound }
        guard !members.isEmpty else { return [:] }
        var judged = self
        judged.classify()
        let pairs = judged.sharedPairs(members)
        return members.reduce(into: [:]) { found, member in
            found[member] = judged.summary(of: member, pairs)
        }
    }

    private mutating func classify() {
        var largest: [Name: UInt32] = [:]
        for (name, answer) in answers.values.joined() {
            if let ttl = answer.ttl { largest[name] = max(largest[name] ?? 0, ttl) }
        }
        for (target, mine) in answers {
            let latest = CacheRule.latestHit(again[target] ?? [])
            let countsDown = CacheRule.countsDown(mine.values.compactMap(\.ttl))
            answers[target] = mine.reduce(into: [:]) { judged, entry in
                var (name, answer) = entry
                if !answer.isUnknownName {
                    answer.isHit = CacheRule.isHit(
                        ttl: answer.ttl,
                        largest: largest[name],
                        time: answer.time,
                        latest: latest,
                        countsDown: countsDown
                    )
                }
                judged[name] = answer
            }
        }
    }

    /// Returns pairs of targets. The second was found to return answers that the first had fetched.
    private func sharedPairs(_ members: [Int]) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        for first in members {
            for second in members where first != second {
                var (fetched, together) = (0, 0)
                for (name, mine) in answers[first] ?? [:] where mine.isHit == false {
                    guard let theirs = answers[second]?[name], theirs.sent > mine.received,
                        let end = mine.expiry, let otherEnd = theirs.expiry
                    else { continue }
                    fetched += 1
                    if abs(end - otherEnd) <= 1, (theirs.ttl ?? 0) < (mine.ttl ?? 0) {
                        together += 1
                    }
                }
                if CacheRule.isOneCache(fetched: fetched, expiringTogether: together) {
                    pairs.append((first, second))
                }
            }
        }
        return pairs
    }

    private func summary(of target: Int, _ pairs: [(Int, Int)]) -> FoundNames {
        var summary = FoundNames()
        for (first, second) in pairs {
            if first == target { summary.oneCache.insert(second) }
            if second == target { summary.oneCache.insert(first) }
        }
        var (hits, misses): ([Double], [Double]) = ([], [])
        for (name, answer) in answers[target] ?? [:] {
            // If resolvers share a cache, only the first that was asked shows the cache's content.
            let isFirst = summary.oneCache.allSatisfy { other in
                answers[other]?[name].map { $0.sent > answer.sent } ?? true
            }
            if isFirst { summary.share.note(answer.isHit) }
            if answer.isHit == true { hits.append(answer.time) }
            if answer.isHit == false { misses.append(answer.time) }
        }
        (summary.hit, summary.miss) = (hits.median, misses.median)
        summary.mean =
            (answers[target] ?? [:]).values.map { min($0.time, QueryOutcome.longestFound) }.mean
        return summary
    }
}
