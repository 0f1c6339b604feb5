/// An interval of the median paired difference, in milliseconds; an open end is `nil`.
public struct DifferenceInterval: Hashable, Sendable {
    public var lower: Double?
    public var upper: Double?

    public init(lower: Double? = nil, upper: Double? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether both ends are finite and `difference` lies between them, or on one.
    public func encloses(_ difference: Double) -> Bool {
        guard let lower, let upper else { return false }
        return lower <= difference && difference <= upper
    }
}
