/// Writes latencies, given in milliseconds, for people: as many decimals for all values that are
/// to be compared, so that they line up on the decimal point.
package struct LatencyFormat: Hashable, Sendable {
    /// Digits after the point of milliseconds.
    package let decimals: Int

    /// One decimal; three, that is microseconds, where any of `values` is below 1 ms.
    package init(fitting values: some Sequence<Double>) {
        decimals = values.contains { $0 < 1 } ? 3 : 1
    }

    /// The number alone, such as `14.2`.
    package func number(_ milliseconds: Double) -> String { milliseconds.fixed(decimals) }

    /// In milliseconds however long it is, such as `14.2 ms`: for columns.
    package func cell(_ milliseconds: Double) -> String { number(milliseconds) + " ms" }

    /// In seconds from one second on, such as `14.2 ms` or `1.23 s`: for sentences.
    package func prose(_ milliseconds: Double) -> String {
        milliseconds < 1000 ? cell(milliseconds) : (milliseconds / 1000).fixed(2) + " s"
    }

    /// What is said of a quantile that lies among the timeouts, such as `> 5 s`.
    package static func beyond(_ timeout: Double) -> String { "> " + plain(timeout) }

    /// A round length of time without needless zeros, such as `5 s`, `2.5 s` or `250 ms`.
    package static func plain(_ milliseconds: Double) -> String {
        milliseconds < 1000
            ? milliseconds.fixed(least: 0, most: 3) + " ms"
            : (milliseconds / 1000).fixed(least: 0, most: 3) + " s"
    }

    /// How long something took, to the second: `32 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`.
    package static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return parts(seconds / 60, "min", seconds % 60, "s")
        case ..<86400: return parts(seconds / 3600, "h", seconds % 3600 / 60, "min")
        default: return parts(seconds / 86400, "d", seconds % 86400 / 3600, "h")
        }
    }

    private static func parts(
        _ large: Int64,
        _ largeUnit: String,
        _ small: Int64,
        _ smallUnit: String
    ) -> String {
        small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
    }
}

extension Duration {
    /// In milliseconds.
    var milliseconds: Double {
        Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15
    }
}
