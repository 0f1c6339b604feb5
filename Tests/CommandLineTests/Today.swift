import Foundation

extension Date {
    /// The current day in UTC, in days since 1970-01-01. The tested program uses the same clock.
    static var today: Int { Int(Date().timeIntervalSince1970 / 86_400) }
}
