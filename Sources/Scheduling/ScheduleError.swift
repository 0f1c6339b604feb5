/// Why a schedule cannot be written or read: one line that says what to do.
public struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// What was asked for cannot be had.
        case usage
        /// What stands there already is not as it was written.
        case damaged
    }

    public let kind: Kind
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
