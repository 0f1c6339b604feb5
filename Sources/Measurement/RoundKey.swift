/// A round counts within its run.
package struct RoundKey: Hashable, Sendable {
    /// Index into the recording's runs.
    package var run: Int32
    package var round: Int32

    package init(run: Int32, round: Int32) {
        self.run = run
        self.round = round
    }
}
