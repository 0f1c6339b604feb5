/// A round counts within its run.
public struct RoundKey: Hashable, Sendable {
    /// Index into the recording's runs.
    public var run: Int32
    public var round: Int32

    public init(run: Int32, round: Int32) {
        self.run = run
        self.round = round
    }
}
