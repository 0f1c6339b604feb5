import Foundation

extension Date {
    /// The current day in UTC, in days since 1970. The program of these tests uses the same clock.
    static var today: Int { Int(Date().timeIntervalSince1970 / 86_400) }
}
