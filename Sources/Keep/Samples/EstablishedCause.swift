package import Statistics

/// The cause of a resolver's change, from the samples around the change at the time of its detection. Samples
/// are pruned earlier than the change is removed.
package struct EstablishedCause: Hashable, Sendable {
    package var vantage: String
    package var target: Recording.Target
    package var kind: LevelChange.Kind
    /// The first hour at the new level, in hours since 1970-01-01T00:00:00Z.
    package var hour: Int
    package var finding: CauseFinding

    package init(
        vantage: String,
        target: Recording.Target,
        kind: LevelChange.Kind,
        hour: Int,
        finding: CauseFinding
    ) {
        self.vantage = vantage
        self.target = target
        self.kind = kind
        self.hour = hour
        self.finding = finding
    }
}
