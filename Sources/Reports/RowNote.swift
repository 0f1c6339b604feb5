import Samples

/// What is said beside a row: that it is in use, and how queries failed other than by silence.
struct RowNote: Hashable {
    let text: String

    /// `context` tells what a baseline is to the reader; the notes of a window, which has none, tell of
    /// rounds without a network.
    init(_ row: ResolverRow, _ context: ReportContext? = nil) {
        let counts = row.counts
        var parts: [String] = []
        // First, since the end may be cut.
        if let unverified = row.connections?.unverified, unverified > 0 {
            parts.append("not verified")
        }
        if row.isBaseline {
            parts.append(context?.isBaselineInUse == true ? "you use this now" : "baseline")
        }
        parts += counts.responseCodes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let others = [
            (counts.unreachable, "unreachable"), (counts.malformed, "malformed"),
            (counts.filtered, "filtered"),
            (context == nil ? 0 : counts.offline, "offline"),
            (counts.blocked, "blocked"),
        ]
        parts += others.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        text = parts.joined(separator: ", ")
    }
}
