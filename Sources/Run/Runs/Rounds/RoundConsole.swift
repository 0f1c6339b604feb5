package import Failures
package import Samples

/// Whoever is told of the rounds of a schedule.
package protocol RoundConsole: Sendable {
    func mention(_ text: String)
    func warn(_ text: String)

    /// That rounds begin `period` apart, which is longer than the `interval` that was asked for.
    func note(_ period: Duration, wanting interval: Duration)

    /// What `session` measures from now on; counts its samples where somebody looks on.
    func begin(_ session: Session) -> RunProgress?

    func show(next round: Int, in wait: Duration)
    func show(round: Int, isUnderWay: Bool)

    /// How many rounds wait for a store that cannot be written.
    func show(unstored: Int)

    /// Tells of a round that is over; false where nobody reads on.
    func announce(_ round: MeasuredRound, isStored: Bool) -> Bool

    /// Why a round could not be told of, where one could not.
    var outputFailure: Failure? { get }
}
