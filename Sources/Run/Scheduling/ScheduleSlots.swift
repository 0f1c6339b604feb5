/// The times at which a schedule runs its command.
package enum ScheduleSlots: Hashable, Sendable, CustomStringConvertible {
    /// Rounds.
    case every(ScheduleInterval)
    /// A digest, on each Monday at 07:00.
    case weekly
    /// A digest, on the first day of each month at 07:00.
    case monthly

    /// Text such as `every 5m` or `weekly`.
    package var description: String {
        switch self {
        case .every(let interval): "every \(interval)"
        case .weekly: "weekly"
        case .monthly: "monthly"
        }
    }

    /// The interval of rounds; `nil` for a digest.
    package var interval: ScheduleInterval? {
        guard case .every(let interval) = self else { return nil }
        return interval
    }

    init?(_ text: Substring) {
        switch text {
        case "weekly": self = .weekly
        case "monthly": self = .monthly
        default:
            let prefix = "every "
            guard text.hasPrefix(prefix),
                let interval = ScheduleInterval(text.dropFirst(prefix.count))
            else { return nil }
            self = .every(interval)
        }
    }

    /// The fields minute, hour, day, month and weekday (crontab(5)).
    var cronFields: String {
        switch self {
        case .every(let interval): interval.cronFields
        case .weekly: "0 7 * * 1"
        case .monthly: "0 7 1 * *"
        }
    }

    /// A calendar event (systemd.time(7)), in local time as in cron.
    var calendarEvent: String {
        switch self {
        case .every(let interval): interval.calendarEvent
        case .weekly: "Mon *-*-* 07:00:00"
        case .monthly: "*-*-01 07:00:00"
        }
    }
}
