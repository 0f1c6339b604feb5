#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Several tests at once, with a chance of at most α to reject any true hypothesis (Holm 1979).
enum HolmTest {
    /// Which hypotheses are rejected, in the order of the logarithms of their p-values: from the
    /// smallest of m on, p is held against α / m, α / (m − 1), …, up to the first that stands.
    static func rejections(logPValues: [Double], alpha: Double) -> [Bool] {
        var rejected = [Bool](repeating: false, count: logPValues.count)
        let ascending = logPValues.indices.sorted { logPValues[$0] < logPValues[$1] }
        for (position, index) in ascending.enumerated() {
            let threshold = log(alpha) - log(Double(logPValues.count - position))
            guard logPValues[index] <= threshold else { break }
            rejected[index] = true
        }
        return rejected
    }
}
