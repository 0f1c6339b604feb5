/// Why a dashboard cannot be served: one line that says what to do.
public struct DashboardError: Error, Hashable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The address or the port cannot be had.
        case address
        /// The store cannot be read.
        case store
    }

    public var kind: Kind
    public var description: String
}
