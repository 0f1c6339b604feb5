/// Why a dashboard cannot be served: one line that says what to do.
package struct DashboardError: Error, Hashable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The address or the port cannot be had.
        case address
        /// The store cannot be read.
        case store
    }

    package var kind: Kind
    package var description: String
}
