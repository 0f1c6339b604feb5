import LibC

/// Hours in which a candidate was compared with the baseline at one place, as signs alone: what is
/// kept of a place, whatever its machine and line.
package struct PlaceHours: Hashable, Sendable {
    /// The part of a median that a sketch may be off by.
    private static let blur = 0.01

    /// Hours in which the candidate is faster by more than the margin, and the others that tell.
    package private(set) var faster = 0
    package private(set) var notKnownFaster = 0
    /// Hours in which it is not, and the others.
    package private(set) var notFaster = 0
    package private(set) var notKnownNotFaster = 0

    package init() {}

    /// Hours in which both were measured and one of them at least answered in time.
    package var count: Int { faster + notKnownFaster }

    /// Takes an hour's medians in milliseconds, ∞ beyond the timeout; of two such nothing is known. An
    /// hour counts for a side only where the sketches' error cannot change it.
    package mutating func add(baseline: Double, candidate: Double, margin: Double) {
        guard !baseline.isNaN, !candidate.isNaN, baseline.isFinite || candidate.isFinite else {
            return
        }
        let gain = baseline - candidate
        let blur = gain.isFinite ? Self.blur * (baseline + candidate) : 0
        if gain - blur > margin { faster += 1 } else { notKnownFaster += 1 }
        if gain + blur < margin { notFaster += 1 } else { notKnownNotFaster += 1 }
    }

    /// ln E that it is faster by more than the margin in most hours, in this window.
    package var logEvidenceFaster: Double {
        EProcess.logEvidence(won: faster, lost: notKnownFaster)
    }

    /// ln E that it is not.
    package var logEvidenceNotFaster: Double {
        EProcess.logEvidence(won: notFaster, lost: notKnownNotFaster)
    }
}

/// The conclusions about many places, which share resolvers and networks: they hold however the
/// places depend on each other (Vovk & Wang 2021, Annals of Statistics 49:3; Wang & Ramdas 2022,
/// JRSS-B 84:3). Evidence is ln E of each place at the end of its window, never the largest on the
/// way there.
package enum PlaceEvidence {
    /// Which places are named: the k with the most evidence, k the most with E₍ₖ₎ ≥ V / (kα). Of
    /// those that are named a share of at most `alpha` is expected to be wrong (e-BH).
    package static func named(_ logEvidence: [Double], alpha: Double = 0.05) -> [Bool] {
        let order = logEvidence.indices.sorted { logEvidence[$0] > logEvidence[$1] }
        let all = Double(logEvidence.count)
        let last = order.indices.last { rank in
            logEvidence[order[rank]] >= log(all / alpha) - log(Double(rank + 1))
        }
        var named = logEvidence.map { _ in false }
        for rank in 0..<(last.map { $0 + 1 } ?? 0) { named[order[rank]] = true }
        return named
    }

    /// The least number of places of `group`, all by default, of which it is true, but for a chance
    /// of `alpha`, however many groups are chosen after looking.
    package static func least(
        of logEvidence: [Double],
        alpha: Double = 0.05,
        among group: [Bool]? = nil
    ) -> Int {
        let excess = logEvidence.map { min(exp(min($0, mostLogEvidence)), 1e26) - 1 / alpha }
        let isInside = group ?? logEvidence.map { _ in true }
        let slack = zip(excess, isInside).reduce(0.0) { sum, place in
            place.1 ? sum : sum + min(0, place.0)
        }
        let inside = zip(excess, isInside).filter(\.1).map(\.0).sorted()
        // The largest part of them that, with the smallest of the others, has a mean below 1/α.
        var sum = slack
        var part = 0
        for (index, value) in inside.enumerated() {
            sum += value
            if sum < 0 { part = index + 1 }
        }
        return inside.count - part
    }

    private static let mostLogEvidence = 60.0

    /// The share of the places of `group`, all by default, at which a candidate is faster by the margin,
    /// 0 to 1, with a chance of `alpha` that it is another, however many groups are chosen after looking;
    /// up to `liars` of them may say anything. Of no place 0 to 1.
    package static func share(
        faster: [Double],
        notFaster: [Double],
        alpha: Double = 0.05,
        liars: Int = 0,
        among group: [Bool]? = nil
    ) -> ClosedRange<Double> {
        let count = group?.count(where: \.self) ?? faster.count
        guard count > 0 else { return 0...1 }
        let low = max(0, least(of: faster, alpha: alpha / 2, among: group) - liars)
        let known = least(of: notFaster, alpha: alpha / 2, among: group)
        let high = min(count, count - (known - liars))
        return (Double(low) / Double(count))...(Double(max(low, high)) / Double(count))
    }
}
