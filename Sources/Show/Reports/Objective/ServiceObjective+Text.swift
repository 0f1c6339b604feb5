import Analysis
package import Statistics

extension ServiceObjective: CustomStringConvertible {
    /// The objective in words, such as `p95 < 50 ms`, `median < 20 ms` or `answered within 100 ms >= 99.5 %`.
    package var description: String {
        guard isQuantile else { return "answered within \(limitText) >= \(targetText)" }
        let percent = (target * 100).fixed(least: 0, most: 6)
        return "\(percent == "50" ? "median" : "p\(percent)") < \(limitText)"
    }

    /// The limit, such as `50 ms`.
    var limitText: String { LatencyFormat.plain(limit) }

    /// The target, such as `99.5 %`.
    var targetText: String { (target * 100).fixed(least: 0, most: 6) + " %" }

    /// The share that may be later, such as `0.5 %`.
    package var allowanceText: String { (allowance * 100).fixed(least: 0, most: 6) + " %" }
}

extension ObjectiveResult {
    /// The state before the name of a resolver.
    var stateText: String {
        switch state {
        case .kept: "kept"
        case .missed: "missed"
        case .open: "too close to tell"
        }
    }

    /// The decimals of a percentage, as the target needs them.
    private var decimals: Int {
        objective.allowance > 0.009_999 ? 1 : objective.allowance > 0.000_999 ? 2 : 3
    }

    /// A part of the queries, such as `96.1 %`; a share below all never rounds to 100 %. `–` without queries.
    func text(_ count: ObjectiveCount) -> String {
        guard let share = count.share else { return "–" }
        let number = percent(share)
        guard count.failures > 0, number == percent(1) else { return number + " %" }
        return "> 99." + String(repeating: "9", count: decimals) + " %"
    }

    /// The interval, such as `95.4 to 96.7 %`.
    var intervalText: String {
        "\(percent(interval.lowerBound)) to \(percent(interval.upperBound)) %"
    }

    /// The rest of the error budget, such as `22 %`, or `-80 %` if more queries failed than allowed.
    var budgetText: String { budgetLeft.map { ($0 * 100).fixed(0) + " %" } ?? "–" }

    private func percent(_ share: Double) -> String { (share * 100).fixed(decimals) }
}
