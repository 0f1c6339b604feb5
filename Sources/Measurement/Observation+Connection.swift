extension Observation.Extras {
    /// What ``detail`` says where the other end's certificate was not looked at.
    public static let unverifiedWord = "certificate not verified"

    /// Whether the answer is of whoever it was.
    public var isUnverified: Bool { detail?.contains(Self.unverifiedWord) == true }

    /// Whether the connection was opened for this query of `series`.
    public func isOpening(in series: Series) -> Bool {
        connection.map { $0 != .reused } ?? (series == .first)
    }
}
