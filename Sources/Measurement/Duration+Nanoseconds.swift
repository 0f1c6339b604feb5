extension Duration {
    /// In whole nanoseconds, towards zero; the largest or smallest number where it does not fit.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, more) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || more else { return sum }
        return seconds < 0 ? .min : .max
    }

    /// In seconds, rounded to a Double.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
