package import Failures
package import Samples

/// The user's side of a schedule that is running: it takes remarks, rounds and what is to come.
package protocol RoundConsole: Sendable {
    func mention(_ text: String)
    func warn(_ text: String)

    /// Says that rounds begin `period` apart, which is longer than the `interval` that was asked for.
    func note(_ period: Duration, wanting interval: Duration)

    /// Begins to show the rounds of `order`; the labels in `tampering` are never to be advised. Returns a
    /// counter for their samples if somebody looks on.
    func begin(_ order: RunOrder, tampering: Set<String>) -> RunProgress?

    func show(next round: Int, in wait: Duration)
    func show(round: Int, isUnderWay: Bool)

    /// Shows how many rounds wait for a store that cannot be written.
    func show(unstored: Int)

    /// Tells of a round that is over; false where nobody reads on.
    func announce(_ round: MeasuredRound, isStored: Bool) -> Bool

    /// The reason why a round could not be announced; `nil` if each was.
    var outputFailure: Failure? { get }
}
