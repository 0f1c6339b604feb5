/// Whether the median of numbers that come one after the other is at least a bound: they are counted,
/// and neither kept nor sorted.
struct MedianBound: Hashable, Sendable {
    private let bound: Double
    /// How many reach the bound, and how many do not.
    private var reaching = 0
    private var others = 0
    /// The two in the middle where these are equally many.
    private var least = Double.infinity
    private var greatest = -Double.infinity

    /// `bound` is above −∞.
    init(_ bound: Double) { self.bound = bound }

    /// `value` is not NaN.
    mutating func add(_ value: Double) {
        if value >= bound {
            reaching += 1
            least = min(least, value)
        } else {
            others += 1
            greatest = max(greatest, value)
        }
    }

    /// Not without numbers, nor where the middle is between −∞ and +∞.
    var isReached: Bool {
        reaching == others ? (greatest + least) / 2 >= bound : reaching > others
    }
}
