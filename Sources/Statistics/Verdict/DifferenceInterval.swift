/// An interval of the median paired difference, in milliseconds; an open end is `nil`.
package struct DifferenceInterval: Hashable, Sendable {
    package var lower: Double?
    package var upper: Double?

    package init(lower: Double? = nil, upper: Double? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether both ends are finite and `difference` lies between them, or on one.
    package func encloses(_ difference: Double) -> Bool {
        guard let lower, let upper else { return false }
        return lower <= difference && difference <= upper
    }
}
