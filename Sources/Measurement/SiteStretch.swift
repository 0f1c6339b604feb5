/// Answers of one resolver in a row that came from the same site, as NSID names it (RFC 5001).
public struct SiteStretch: Hashable, Sendable {
    public var site: String
    /// When the first and the last of them were asked for.
    public var first: Timestamp
    public var last: Timestamp
    public var answers: Int

    public init(site: String, first: Timestamp, last: Timestamp, answers: Int) {
        self.site = site
        self.first = first
        self.last = last
        self.answers = answers
    }
}

/// The sites from which one resolver answered, in the order of time; of a run or a history, taken in
/// piece by piece.
public struct SiteHistory: Hashable, Sendable {
    public private(set) var stretches: [SiteStretch] = []

    public init() {}

    /// Takes in samples of one resolver at one place, in the order of sending and after all before.
    /// Answers without a site are passed over.
    public mutating func add(_ samples: some Sequence<Sample>) {
        for sample in samples {
            guard let site = sample.observation.extras?.site else { continue }
            let moment = sample.observation.sent ?? sample.scheduled
            if let last = stretches.indices.last, stretches[last].site == site {
                stretches[last].last = moment
                stretches[last].answers += 1
            } else {
                stretches.append(SiteStretch(site: site, first: moment, last: moment, answers: 1))
            }
        }
    }

    /// Each site once, the first to answer first.
    public var sites: [String] {
        var seen: Set<String> = []
        return stretches.map(\.site).filter { seen.insert($0).inserted }
    }

    /// The first answer from another site than the answer before.
    public var changes: [Timestamp] { stretches.dropFirst().map(\.first) }

    /// Takes in stretches of the same resolver and place, of whatever time.
    public mutating func add(_ other: SiteHistory) {
        let all = (stretches + other.stretches).sorted { $0.first < $1.first }
        stretches = []
        for stretch in all {
            if let last = stretches.indices.last, stretches[last].site == stretch.site {
                stretches[last].last = max(stretches[last].last, stretch.last)
                stretches[last].answers += stretch.answers
            } else {
                stretches.append(stretch)
            }
        }
    }

    /// When all answers began to come from other sites than before, as far as the answers next to
    /// that moment tell: servers of one service that take turns are no move.
    public var moves: [SiteMove] {
        stretches.indices.dropFirst().compactMap { index in
            let before = Self.tally(stretches[..<index].reversed())
            let after = Self.tally(stretches[index...])
            guard let from = before.commonest, let to = after.commonest,
                Set(before.counts.keys).isDisjoint(with: after.counts.keys)
            else { return nil }
            return SiteMove(moment: stretches[index].first, from: from, to: to)
        }
    }

    /// So many answers beside a move are looked at, where there are so many, and not fewer than so.
    private static let answersBeside = (most: 30, least: 3)

    private struct Neighbours {
        var counts: [String: Int] = [:]
        var answers = 0

        /// `nil` where there are too few answers.
        var commonest: String? {
            answers < SiteHistory.answersBeside.least
                ? nil
                : counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        }
    }

    private static func tally(_ stretches: some Sequence<SiteStretch>) -> Neighbours {
        var found = Neighbours()
        for stretch in stretches {
            guard found.answers < answersBeside.most else { break }
            let taken = min(stretch.answers, answersBeside.most - found.answers)
            found.counts[stretch.site, default: 0] += taken
            found.answers += taken
        }
        return found
    }
}

/// A resolver's answers came from one site, and from then on from another.
public struct SiteMove: Hashable, Sendable {
    public var moment: Timestamp
    /// The commonest site next to the move, on either side.
    public var from: String
    public var to: String

    public init(moment: Timestamp, from: String, to: String) {
        self.moment = moment
        self.from = from
        self.to = to
    }
}

extension Recording {
    /// The sites of every target, in the order of the targets.
    public func siteHistories() -> [SiteHistory] {
        samplesByTarget().map { samples in
            var history = SiteHistory()
            history.add(samples)
            return history
        }
    }
}
