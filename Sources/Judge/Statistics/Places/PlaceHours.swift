import LibC

/// Hours in which a candidate was compared with the baseline at one place. Only the sign of each hour is
/// kept, so that places with different machines and lines are comparable.
package struct PlaceHours: Hashable, Sendable {
    /// The maximum relative error of a sketch's median.
    private static let blur = 0.01

    /// The number of hours in which the candidate is faster by more than the margin, and of the other hours.
    package private(set) var faster = 0
    package private(set) var notKnownFaster = 0
    /// The number of hours in which the candidate is not faster by more than the margin, and of the other
    /// hours.
    package private(set) var notFaster = 0
    package private(set) var notKnownNotFaster = 0

    package init() {}

    /// The number of hours in which both were measured, and at least one answered in time.
    package var count: Int { faster + notKnownFaster }

    /// Adds the medians of an hour in milliseconds, ∞ beyond the timeout. An hour with two infinite medians
    /// is excluded. An hour counts for a side only if the sketches' error cannot change the result.
    package mutating func add(baseline: Double, candidate: Double, margin: Double) {
        guard !baseline.isNaN, !candidate.isNaN, baseline.isFinite || candidate.isFinite else {
            return
        }
        let gain = baseline - candidate
        let blur = gain.isFinite ? Self.blur * (baseline + candidate) : 0
        if gain - blur > margin { faster += 1 } else { notKnownFaster += 1 }
        if gain + blur < margin { notFaster += 1 } else { notKnownNotFaster += 1 }
    }

    /// ln E that the candidate is faster by more than the margin in most hours of this window.
    package var logEvidenceFaster: Double {
        EProcess.logEvidence(won: faster, lost: notKnownFaster)
    }

    /// ln E that the candidate is not faster by more than the margin in most hours of this window.
    package var logEvidenceNotFaster: Double {
        EProcess.logEvidence(won: notFaster, lost: notKnownNotFaster)
    }
}

/// Conclusions about many places, which share resolvers and networks. They hold for any dependence between
/// the places (Vovk & Wang 2021, Annals of Statistics 49:3; Wang & Ramdas 2022, JRSS-B 84:3).
///
/// The evidence is ln E of each place at the end of its window, never the maximum during the window.
package enum PlaceEvidence {
    /// Returns whether each place is named. The k places with the most evidence are named, for the largest k
    /// with E₍ₖ₎ ≥ V / (kα). V is the number of places. The expected share of wrong names among them is at
    /// most `alpha` (e-BH).
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

    /// Returns the minimum number of places of `group`, by default all, for which the statement is true. It
    /// is wrong with a probability of at most `alpha`, for any number of groups that are chosen after seeing
    /// the data.
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
        // The largest subset whose mean, together with the smallest of the others, is below 1/α.
        var sum = slack
        var part = 0
        for (index, value) in inside.enumerated() {
            sum += value
            if sum < 0 { part = index + 1 }
        }
        return inside.count - part
    }

    private static let mostLogEvidence = 60.0

    /// Returns the share of the places of `group`, by default all, at which a candidate is faster by the
    /// margin, from 0 to 1, at confidence level 1 − `alpha`.
    ///
    /// The interval is valid for any number of groups that are chosen after seeing the data, and if up to
    /// `liars` places report false values. 0…1 without places.
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
