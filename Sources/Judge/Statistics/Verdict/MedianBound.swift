/// Whether the median of successive numbers is at least a bound. The numbers are counted, and neither stored
/// nor sorted.
struct MedianBound: Hashable, Sendable {
    private let bound: Double
    /// The number of values at or above the bound, and of values below.
    private var reaching = 0
    private var others = 0
    /// The two middle values, if both counts are equal.
    private var least = Double.infinity
    private var greatest = -Double.infinity

    /// Creates a bound, which must be above −∞.
    init(_ bound: Double) { self.bound = bound }

    /// Counts a value, which must not be NaN.
    mutating func add(_ value: Double) {
        if value >= bound {
            reaching += 1
            least = min(least, value)
        } else {
            others += 1
            greatest = max(greatest, value)
        }
    }

    /// Whether the median is at least the bound. False without values, and if the middle is between −∞ and
    /// +∞.
    var isReached: Bool {
        reaching == others ? (greatest + least) / 2 >= bound : reaching > others
    }
}
