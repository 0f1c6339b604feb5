/// The distance from a level within which a difference is no incident.
///
/// Levels always drift a little. A difference below 2 ms or below a tenth of the level has no effect on
/// users.
enum DeadBand {
    private static let least = 2.0
    private static let share = 0.1

    /// Returns the dead band around `level`, both in milliseconds.
    static func around(_ level: Double) -> Double { max(least, share * level) }
}
