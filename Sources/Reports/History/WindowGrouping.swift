import Samples

/// What a report over a window puts side by side; resolvers are kept apart in each.
package enum WindowGrouping: String, Hashable, Sendable, CaseIterable {
    case resolver, name, type, hour, weekday, day, transport, vantage

    /// Whether hourly sums do not tell it, so that only samples do.
    package var needsSamples: Bool { self == .name }

    /// Whether a resolver's transports are beside each other.
    var tellsTransports: Bool { self == .resolver || self == .transport }
}

/// One of the parts that a window is divided into.
enum WindowGroup: Hashable, Comparable {
    case whole
    /// A name, a record type, a transport or a place.
    case text(String)
    /// 0 to 23, on the reader's clock.
    case hour(Int)
    /// 1 for Monday to 7 for Sunday.
    case weekday(Int)
    case day(CivilDate)

    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// Such as `14:00`, `Monday` or `2026-11-21`.
    var title: String {
        switch self {
        case .whole: ""
        case .text(let text): text
        case .hour(let hour): hour < 10 ? "0\(hour):00" : "\(hour):00"
        case .weekday(let day): Self.weekdays[(day - 1) % 7]
        case .day(let date): date.description
        }
    }

    /// As it stands in a sentence, such as `at 14:00`.
    func phrase(in grouping: WindowGrouping) -> String {
        switch grouping {
        case .resolver: ""
        case .name, .type: "with \(title)"
        case .hour: "at \(title)"
        case .weekday, .day: "on \(title)"
        case .transport: "over \(title)"
        case .vantage: "from \(title)"
        }
    }
}

extension WindowGrouping {
    /// The group of a time on the reader's clock; `nil` for a grouping that is not by time.
    func group(of time: LocalTime) -> WindowGroup? {
        switch self {
        case .hour: .hour(time.hour)
        case .weekday: .weekday(time.date.weekday)
        case .day: .day(time.date)
        case .resolver: .whole
        case .name, .type, .transport, .vantage: nil
        }
    }
}
