import Foundation

extension Date {
    /// The day by UTC, which the program's clock has here, in days since 1970.
    static var today: Int { Int(Date().timeIntervalSince1970 / 86_400) }
}
