/// Why a schedule cannot be written or read: one line that says what to do.
package struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// What was asked for cannot be had.
        case usage
        /// What stands there already is not as it was written.
        case damaged
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
