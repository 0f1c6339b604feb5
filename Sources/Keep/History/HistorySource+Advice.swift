package import Samples

extension HistorySource {
    package func advice(_ window: Range<Timestamp>) throws -> String {
        guard !(recorded is FileSource) else {
            guard let span = recorded.span else { return "There are no samples in it." }
            return Self.advice(span, of: "samples", outside: window)
        }
        if let span = try span { return Self.advice(span, of: "rounds", outside: window) }
        let spans = try recorded.spans()
        guard let other = spans.min(by: { $0.key.rawValue < $1.key.rawValue }) else {
            return "The store has no rounds yet: see dnstempo schedule --help."
        }
        return Self.advice(
            other.value,
            of: "rounds of \(other.key)",
            outside: window,
            options: "--origin \(other.key)"
        )
    }

    /// The times of the first and the last sample of the selected origins; `nil` without any.
    package var span: ClosedRange<Timestamp>? {
        get throws {
            if let span = recorded.span { return span }
            return try recorded.spans().filter { origins?.contains($0.key) ?? true }.values
                .reduce(nil) { $0?.union($1) ?? $1 }
        }
    }

    private static func advice(
        _ span: ClosedRange<Timestamp>,
        of what: String,
        outside window: Range<Timestamp>,
        options: String? = nil
    ) -> String {
        let clock = LocalClock.system(from: span.lowerBound, to: span.upperBound)
        let first = clock.text(span.lowerBound)
        let isInside = window.overlaps(span)
        let since = isInside ? nil : "--since \(first.prefix(10))"
        let until = isInside || span.lowerBound < window.upperBound ? nil : "--until now"
        let words = [options, since, until].compactMap { $0 }.joined(separator: " ")
        return "There are \(what) from \(first) to \(clock.text(span.upperBound)): "
            + (words.isEmpty ? "choose another window." : "write \(words).")
    }
}
