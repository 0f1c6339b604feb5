/// What a comparison is held to.
public struct ComparisonRules: Hashable, Sendable {
    /// What one piece of evidence is.
    public enum Unit: String, Hashable, Sendable, CaseIterable {
        /// Every name once, within seconds: says what holds now.
        case round
        /// An hour's medians: says what holds in general.
        case hour
    }

    /// Milliseconds that a difference must exceed to be worth it.
    public var margin: Double
    /// How often a verdict may be wrong in the long run, over all candidates together.
    public var alpha: Double
    public var unit: Unit

    public init(margin: Double = 5, alpha: Double = 0.05, unit: Unit = .round) {
        self.margin = margin
        self.alpha = alpha
        self.unit = unit
    }

    /// Rounds or hours without which there is no verdict: no method free of a distribution is sure
    /// to 95 % before the seventh, and hours need to differ.
    public var minimumRounds: Int { unit == .round ? 7 : 8 }

    /// Different days (UTC) without which there is no verdict.
    public var minimumDays: Int { unit == .round ? 0 : 2 }
}
