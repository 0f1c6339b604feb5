package import Failures
package import Samples

/// The user's side of a running schedule. It receives remarks, rounds and announcements.
package protocol RoundConsole: Sendable {
    func mention(_ text: String)
    func warn(_ text: String)

    /// Reports that rounds begin `period` apart, which is longer than the requested `interval`.
    func note(_ period: Duration, wanting interval: Duration)

    /// Begins to show the rounds of `order`. The labels in `tampering` are never recommended.
    /// Returns a counter for their samples if a live view is shown.
    func begin(_ order: RunOrder, tampering: Set<String>) -> RunProgress?

    func show(next round: Int, in wait: Duration)
    func show(round: Int, isUnderWay: Bool)

    /// Shows the number of rounds that wait for a store that cannot be written.
    func show(unstored: Int)

    /// Reports a complete round. Returns false if the reader of standard output has gone.
    func announce(_ round: MeasuredRound, isStored: Bool) -> Bool

    /// The reason why a round could not be announced; `nil` if each was.
    var outputFailure: Failure? { get }
}
