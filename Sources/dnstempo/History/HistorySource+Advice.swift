import Central
import Failures
import Reports
import Samples
import Store

extension HistorySource {
    func advice(_ window: Range<Timestamp>) throws -> String {
        switch content {
        case .files(let files):
            guard let span = files.span else { return "There are no samples in it." }
            return Self.advice(span, of: "samples", outside: window)
        case .stores, .central:
            let spans = try spans()
            let wanted = spans.filter { origins?.contains($0.key) ?? true }.values
            if let span = wanted.reduce(nil, { $0?.union($1) ?? $1 }) {
                return Self.advice(span, of: "rounds", outside: window)
            }
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

extension HistorySource {
    /// Refuses a beginning such as `4m` if nothing was measured in these minutes: months are meant.
    func checkMinutes(_ options: WindowOptions) throws {
        guard let since = options.since, let minutes = MomentText.possibleMonths(since),
            options.until == "now", let last = try lastMoment()
        else { return }
        guard try options.openWindow().lowerBound > last else { return }
        let clock = LocalClock.system(from: last, to: last)
        throw Failure.usage(
            "--since \(since) means minutes, and the last sample is of \(clock.text(last)): for "
                + "months write \(minutes)mo"
        )
    }

    /// When the last sample left; `nil` where there are none.
    private func lastMoment() throws -> Timestamp? {
        if let span = spanOfFiles { return span.upperBound }
        return try spans().filter { origins?.contains($0.key) ?? true }.values
            .map(\.upperBound).max()
    }

    /// When the first sample left, and the last, by what the rounds were measured for; none of samples
    /// files.
    func spans() throws -> [Run.Origin: ClosedRange<Timestamp>] {
        switch content {
        case .stores(let group): try group.spans()
        case .central(let reader): try reader.spans()
        case .files: [:]
        }
    }
}

extension StoreGroup {
    /// When the first sample left, and the last, by what the rounds were measured for.
    func spans() throws(StoreError) -> [Run.Origin: ClosedRange<Timestamp>] {
        var spans: [Run.Origin: ClosedRange<Timestamp>] = [:]
        for store in stores { spans.merge(try store.spans()) { $0.union($1) } }
        return spans
    }
}
