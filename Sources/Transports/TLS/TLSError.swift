/// Why a TLS session could not begin or go on.
public struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In words.
    public var reason: String
    /// The other end's certificate is not to be trusted.
    var isDistrust = false

    public var description: String { reason }
}
