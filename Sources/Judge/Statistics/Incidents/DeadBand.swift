/// The distance from a level within which a difference is no incident.
///
/// Levels always drift a little. A difference below 2 ms or below a tenth of the level has no effect on
/// users.
package enum DeadBand {
    /// The smallest dead band in milliseconds.
    package static let least = 2.0
    /// The dead band as a share of the level. The larger of both counts.
    package static let share = 0.1

    /// Returns the dead band around `level`, both in milliseconds.
    package static func around(_ level: Double) -> Double { max(least, share * level) }
}
