extension Duration {
    /// Whole nanoseconds, kept within ±292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, -9_000_000_000), 9_000_000_000)
        return bounded * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    var milliseconds: Double { Double(nanoseconds) / 1e6 }

    /// From milliseconds, kept between 0 and 24 h; what is not a number is 24 h.
    init(boundedMilliseconds: Double) {
        let limit = 86_400_000.0
        let bounded = boundedMilliseconds < limit ? max(boundedMilliseconds, 0) : limit
        self = .nanoseconds(Int64((bounded * 1e6).rounded()))
    }
}
