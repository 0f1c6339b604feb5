import LibC

/// The search for the longest time that a server keeps an idle connection, with at most seven gaps. Each gap
/// is measured on a connection of its own. All times are in seconds.
///
/// The gaps are bisected on a scale on which the tolerance, the larger of 1 s and 5 %, has the same length
/// everywhere.
package struct IdleSearch: Hashable, Sendable {
    /// The maximum number of gaps.
    package static let mostGaps = 7

    /// The longest gap at which the connection still existed.
    package private(set) var lower = 0.0
    /// The shortest gap at which the connection no longer existed.
    package private(set) var upper: Double?
    /// The number of measured gaps.
    package private(set) var gaps = 0
    /// Whether `upper` is the exact time of an end that the server signalled, or that both ends agreed on.
    package private(set) var isExact = false
    /// Whether a query just before `upper` must confirm it, because the end was silent.
    private var needsConfirmation = false
    private let longest: Double

    /// Creates a search up to the gap `longest`.
    package init(upTo longest: Double) { self.longest = longest }

    /// The largest acceptable error of a timeout of `time` seconds.
    package static func tolerance(at time: Double) -> Double { max(1, 0.05 * time) }

    /// The next gap; `nil` at the end of the search.
    package var next: Double? {
        guard gaps < Self.mostGaps, lower < longest else { return nil }
        guard let upper else { return longest }
        if needsConfirmation { return max(upper / 2, upper - Self.tolerance(at: upper) / 2) }
        guard !isExact, upper - lower > Self.tolerance(at: lower) else { return nil }
        return Self.time(at: (Self.place(of: lower) + Self.place(of: upper)) / 2)
    }

    /// The estimate of the timeout; `nil` if the connection existed at all gaps.
    package var timeout: Double? { upper.map { isExact ? $0 : (lower + $0) / 2 } }

    /// Records that a query after `gap` was answered on the connection, or was lost.
    package mutating func note(gap: Double, isKept: Bool) {
        gaps += 1
        if isKept {
            lower = max(lower, gap)
        } else {
            // The server forgets the connection before the time on which both ends agreed.
            (upper, isExact) = (min(upper ?? gap, gap), false)
        }
        needsConfirmation = false
    }

    /// Records that the server ended the connection `time` after the last answer. A silent end, on which
    /// both ends agreed, is confirmed by another gap.
    package mutating func note(endAfter time: Double, isSilent: Bool = false) {
        gaps += 1
        (upper, isExact, needsConfirmation) = (time, true, isSilent)
        lower = min(lower, time)
    }

    /// Records that the connection existed for `time`, although no query proved it.
    package mutating func note(openFor time: Double) { lower = max(lower, time) }

    /// The longest possible sum of all gaps of a search.
    package static func longestTotal(upTo longest: Double) -> Double {
        var search = IdleSearch(upTo: longest)
        search.note(gap: longest, isKept: false)
        var total = longest
        // The sum is the longest if the timeout is just below the first gap.
        while let gap = search.next {
            total += gap
            search.note(gap: gap, isKept: true)
        }
        return total
    }

    /// The scale: the integral of 1 / tolerance.
    private static func place(of time: Double) -> Double {
        time <= 20 ? time : 20 + 20 * log(time / 20)
    }

    private static func time(at place: Double) -> Double {
        place <= 20 ? place : 20 * exp((place - 20) / 20)
    }
}
