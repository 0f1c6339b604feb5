/// The rounds in which a resolver was asked, and those without an answer from it.
package struct Availability: Hashable, Sendable {
    /// The rounds in which the resolver was asked.
    package private(set) var rounds: Int
    /// The rounds without any answer.
    package private(set) var dead: Int

    package init(rounds: Int = 0, dead: Int = 0) { (self.rounds, self.dead) = (rounds, dead) }

    /// The share of the rounds with an answer, 0 to 1; 1 without rounds.
    package var share: Double { 1 - Double(dead) / Double(max(1, rounds)) }

    package mutating func add(isDead: Bool) {
        rounds += 1
        if isDead { dead += 1 }
    }

    package mutating func merge(_ other: Availability) {
        rounds += other.rounds
        dead += other.dead
    }

    /// Removes rounds that were counted before.
    package mutating func remove(_ other: Availability) {
        rounds -= other.rounds
        dead -= other.dead
    }
}
