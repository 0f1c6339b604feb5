/// What a comparison is held to.
package struct ComparisonRules: Hashable, Sendable {
    /// What one piece of evidence is.
    package enum Unit: String, Hashable, Sendable, CaseIterable {
        /// Every name once, within seconds: says what holds now.
        case round
        /// An hour's medians: says what holds in general.
        case hour
    }

    /// Milliseconds that a difference must exceed to be worth it.
    package var margin: Double
    /// How often a verdict may be wrong in the long run, over all candidates together.
    package var alpha: Double
    package var unit: Unit

    package init(margin: Double = 5, alpha: Double = 0.05, unit: Unit = .round) {
        self.margin = margin
        self.alpha = alpha
        self.unit = unit
    }

    /// Rounds or hours without which there is no verdict: no method free of a distribution is sure
    /// to 95 % before the seventh, and hours need to differ.
    package var minimumRounds: Int { unit == .round ? 7 : 8 }

    /// Different days (UTC) without which there is no verdict.
    package var minimumDays: Int { unit == .round ? 0 : 2 }
}
