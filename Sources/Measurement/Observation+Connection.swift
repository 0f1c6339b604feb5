extension Observation.Extras {
    /// Whether the connection was opened for this query of `series`.
    public func isOpening(in series: Series) -> Bool {
        connection.map { $0 != .reused } ?? (series == .first)
    }
}

extension Observation {
    /// What is known of it besides its figures.
    public var flags: SampleFlags { extras?.flags ?? [] }
}
