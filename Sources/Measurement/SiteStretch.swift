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

    /// The changes after which none of the sites before answered again: servers of one service that
    /// take turns are no move.
    public var moves: [Timestamp] {
        var last: [String: Int] = [:]
        for (index, stretch) in stretches.enumerated() { last[stretch.site] = index }
        return stretches.indices.dropFirst().filter { index in
            // All that answered before never do again.
            stretches[..<index].allSatisfy { (last[$0.site] ?? 0) < index }
        }.map { stretches[$0].first }
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
