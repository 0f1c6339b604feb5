import Analysis
package import Catalogue
import Failures
package import Statistics

extension ServiceObjective: CustomStringConvertible {
    /// As it is told, such as `p95 < 50 ms`, `median < 20 ms` or `answered within 100 ms >= 99.5 %`.
    package var description: String {
        guard isQuantile else { return "answered within \(limitText) >= \(targetText)" }
        let percent = (target * 100).fixed(least: 0, most: 6)
        return "\(percent == "50" ? "median" : "p\(percent)") < \(limitText)"
    }

    /// Such as `50 ms`.
    var limitText: String { LatencyFormat.plain(limit) }

    /// Such as `99.5 %`.
    var targetText: String { (target * 100).fixed(least: 0, most: 6) + " %" }

    /// The share that may be later, such as `0.5 %`.
    package var allowanceText: String { (allowance * 100).fixed(least: 0, most: 6) + " %" }

    /// Reads `pNN < TIME`, `median < TIME` or `answered within TIME >= SHARE%`, with or without
    /// spaces; whether an end itself is within makes no difference. `option` is what errors name, where they
    /// need to.
    package init(parsing text: String, of option: String? = nil) throws(CatalogueError) {
        let words = text.split(whereSeparator: { $0 == " " })
        let isShare = words.first == "answered" && words.dropFirst().first == "within"
        // What is left has no words to keep apart.
        let rest = words.dropFirst(isShare ? 2 : 0).joined()
        let signs = isShare ? [">=", ">"] : ["<=", "<"]
        guard let place = signs.lazy.compactMap(rest.firstRange).first else {
            throw Self.refused(text, "not an objective" + Self.advice, option)
        }
        let (left, right) = (String(rest[..<place.lowerBound]), String(rest[place.upperBound...]))
        let limit: Duration
        do throws(CatalogueError) {
            limit = try Duration(parsing: isShare ? left : right)
        } catch {
            throw Self.refused(text, error.description, option)
        }
        let share = isShare ? FailCondition.percent(right) : Self.quantile(left)
        guard let share else {
            let reason =
                isShare
                ? "'\(right)' is not a percentage; write one such as: 99% or 99.5%"
                : "'\(left)' is not a percentile" + Self.advice
            throw Self.refused(text, reason, option)
        }
        guard limit > .zero else {
            throw Self.refused(text, "choose a time above 0, such as 50ms", option)
        }
        // 99.9 / 100 is not the fraction that 0.999 is.
        let target = (share * 1e12).rounded() / 1e12
        let milliseconds = limit / .milliseconds(1)
        guard let made = Self(limit: milliseconds, target: target, isQuantile: !isShare) else {
            let reason = "choose a share above 0 and below 100 %, so that some may fail"
            throw Self.refused(text, reason, option)
        }
        self = made
    }

    private static let advice = "; write 'p95 < 50ms' or 'answered within 100ms >= 99.5%'"

    /// `median`, `p95` or `p99.9`, as a fraction.
    private static func quantile(_ text: String) -> Double? {
        if text == "median" { return 0.5 }
        return text.hasPrefix("p") ? FailCondition.percent(String(text.dropFirst()) + "%") : nil
    }

    private static func refused(
        _ text: String,
        _ reason: String,
        _ option: String?
    ) -> CatalogueError {
        let place = option.map { "\($0) " } ?? ""
        return CatalogueError(.usage, "\(place)'\(text.prefix(100))': \(reason)")
    }
}

extension ObjectiveResult {
    /// As it stands before a resolver's name.
    var stateText: String {
        switch state {
        case .kept: "kept"
        case .missed: "missed"
        case .open: "too close to tell"
        }
    }

    /// Digits after the point of a percentage: as the target needs them.
    private var decimals: Int {
        objective.allowance > 0.009_999 ? 1 : objective.allowance > 0.000_999 ? 2 : 3
    }

    /// A part of the queries, such as `96.1 %`; one that is not all of them is never told as if it
    /// were. `–` of nothing.
    func text(_ count: ObjectiveCount) -> String {
        guard let share = count.share else { return "–" }
        let number = percent(share)
        guard count.failures > 0, number == percent(1) else { return number + " %" }
        return "> 99." + String(repeating: "9", count: decimals) + " %"
    }

    /// Such as `95.4 to 96.7 %`.
    var intervalText: String {
        "\(percent(interval.lowerBound)) to \(percent(interval.upperBound)) %"
    }

    /// The rest of the error budget, such as `22 %`, or `-80 %` where more failed than may.
    var budgetText: String { budgetLeft.map { ($0 * 100).fixed(0) + " %" } ?? "–" }

    private func percent(_ share: Double) -> String { (share * 100).fixed(decimals) }
}
