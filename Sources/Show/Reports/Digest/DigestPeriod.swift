package import Catalogue
import Failures
package import Samples

/// The time of a digest.
package enum DigestPeriod: Hashable, Sendable {
    /// The last whole week, which begins on Monday.
    case week
    /// The last whole month of the calendar.
    case month
    /// The time up to the end of the window.
    case last(Duration)

    /// Reads `week`, `month` or a duration such as `7d`. The error names `option`.
    package init(_ text: String, of option: String) throws(CatalogueError) {
        switch text {
        case "week": self = .week
        case "month": self = .month
        default:
            guard let length = try? Duration(parsing: text), length >= .seconds(86_400) else {
                throw CatalogueError(
                    .usage,
                    "\(option): '\(text.prefix(100))' is not a time of at least a day; write week, month or 7d"
                )
            }
            self = .last(length)
        }
    }

    /// The first day, and the day after the last one, of the last whole week or month before `today`; `nil`
    /// for other times.
    package func days(before today: CivilDate) -> Range<CivilDate>? {
        switch self {
        case .week:
            let monday = today.daysSinceEpoch - (today.weekday - 1)
            return CivilDate(daysSinceEpoch: monday - 7)..<CivilDate(daysSinceEpoch: monday)
        case .month:
            let end = CivilDate(daysSinceEpoch: today.daysSinceEpoch - today.day + 1)
            let last = CivilDate(daysSinceEpoch: end.daysSinceEpoch - 1)
            return CivilDate(daysSinceEpoch: end.daysSinceEpoch - last.day)..<end
        case .last: return nil
        }
    }

    /// The period over `window`, for sentences.
    func period(of window: WindowContext) -> OverviewReport.Period {
        let length = window.window.upperBound.since(window.window.lowerBound)
        let start = window.clock.time(at: window.window.lowerBound).date
        let title =
            switch self {
            case .week: "week from \(start)"
            case .month: "month from \(start)"
            case .last: window.isUntilPresent ? "last \(length.inDays)" : "time from \(start)"
            }
        return ("window", title, length)
    }
}

extension WindowContext {
    /// Whether the window ends now.
    fileprivate var isUntilPresent: Bool { present.map { requestedEnd >= $0 } ?? false }
}

extension Duration {
    /// The length in words, such as `7 days` or `1 d 12 h`.
    fileprivate var inDays: String {
        let (days, rest) = components.seconds.quotientAndRemainder(dividingBy: 86_400)
        return days > 1 && rest == 0 ? "\(days) days" : LatencyFormat.span(self)
    }
}
