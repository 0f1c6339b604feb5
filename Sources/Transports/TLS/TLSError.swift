/// Why a TLS session could not begin or go on.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In words.
    package var reason: String
    /// The other end's certificate is not to be trusted.
    var isDistrust = false

    package var description: String { reason }
}
