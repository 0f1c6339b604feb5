#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension DifferenceInterval {
    /// The interval of the median difference that holds at every round at once: the differences x
    /// from which E+ (with D > x) reaches 2/α up to which E− (with D ≥ x) does. E+ falls with x and
    /// E− rises, so that each end is found by halving (Howard & Ramdas 2022, Bernoulli 28:3).
    ///
    /// `confidence` is 1 − α. An end is open where no difference reaches that far.
    package init(of rounds: [PairedRound], confidence: Double = 0.95) {
        let evidence = ShareEvidence(of: rounds)
        let candidates = evidence.finiteDifferences
        let threshold = log(2 / (1 - confidence))
        // The last from the left that E+ reaches the threshold at; −1 is none.
        var last = -1
        var end = candidates.count - 1
        while last < end {
            let middle = (last + end + 1) / 2
            if evidence.logEAbove(candidates[middle]) >= threshold {
                last = middle
            } else {
                end = middle - 1
            }
        }
        // The first that E− reaches it at; the count is none.
        var first = 0
        var limit = candidates.count
        while first < limit {
            let middle = (first + limit) / 2
            if evidence.logEBelow(candidates[middle]) >= threshold {
                limit = middle
            } else {
                first = middle + 1
            }
        }
        self.init(
            lower: last >= 0 ? candidates[last] : nil,
            upper: first < candidates.count ? candidates[first] : nil
        )
    }
}
