import Samples
import Statistics

/// The live view as lines of text: one row per resolver, then the progress of the run.
package struct LiveTable: Sendable {
    package var width: Int
    package var height: Int
    /// Whether escape sequences may add colour.
    package var colour: Bool

    private static let widestBar = 40

    package init(width: Int, height: Int, colour: Bool) {
        self.width = max(1, width)
        self.height = max(1, height)
        self.colour = colour
    }

    /// At most `height` lines of at most `width` columns. If there is no room, the rows are omitted
    /// and counted before the progress is omitted.
    package func lines(_ progress: LiveProgress) -> [String] {
        let own = progress.status.map { "  " + EscapedText.terminal($0) }
        let status =
            (unverified(progress) + causes(progress) + (own.isEmpty ? [status(of: progress)] : own))
            .map { $0.truncated(to: width) }
        // One line is for the header, the others are for the status.
        let room = height - 1 - status.count
        guard room > 0, !progress.resolvers.isEmpty else { return Array(status.suffix(height)) }
        guard progress.resolvers.count > room else {
            return table(progress.resolvers, showing: progress.resolvers.count) + status
        }
        let hidden = progress.resolvers.count - room + 1
        guard room > 1 else { return table(progress.resolvers, showing: 1) + status }
        let rest = "  and \(hidden) more".truncated(to: width)
        return table(progress.resolvers, showing: room - 1) + [rest] + status
    }

    /// The header and the first rows. The widths fit all rows, so that the columns do not move.
    private func table(_ resolvers: [LiveProgress.Resolver], showing count: Int) -> [String] {
        let layout = LiveColumns(resolvers: resolvers, width: width).fitting
        return Array(TextColumn.lines(layout, colour: colour).prefix(count + 1))
    }

    /// A line such as `  Not verified: meadow, brook`; empty if every answer was verified or needs
    /// no verification.
    private func unverified(_ progress: LiveProgress) -> [String] {
        let names = progress.resolvers.filter(\.isUnverified).map(\.name)
        guard !names.isEmpty else { return [] }
        return ["  Not verified: " + EscapedText.terminal(names.joined(separator: ", "))]
    }

    /// A line such as `  Failed: meadow (HTTP 404), brook (certificate)`; empty without a known
    /// cause.
    private func causes(_ progress: LiveProgress) -> [String] {
        let words = progress.resolvers.compactMap { resolver in
            resolver.causes.main.map { "\(resolver.name) (\($0.cause.label))" }
        }
        guard !words.isEmpty else { return [] }
        return ["  Failed: " + EscapedText.terminal(words.joined(separator: ", "))]
    }

    /// A line such as `  ━━━━━━──────  round 3 of 10, 21 s left`.
    private func status(of progress: LiveProgress) -> String {
        var parts: [String] = []
        let (snapshot, planned) = (progress.snapshot, progress.snapshot.scope.queries)
        if planned > 0 {
            parts.append(snapshot.round > 0 ? progress.text(ofRound: snapshot.round) : "warming up")
        }
        // The run may end before its last planned round.
        parts.append("\(progress.most)\(LatencyFormat.span(snapshot.remaining)) left")
        let evidence = progress.resolvers.compactMap(\.evidence)
        let decided = evidence.count { $0.verdict != nil }
        if !evidence.isEmpty { parts.append("\(decided) of \(evidence.count) decided") }
        // Omits a part instead of cutting a word.
        while parts.count > 1, 2 + parts.joined(separator: ", ").displayWidth > width {
            parts.removeLast()
        }
        let words = parts.joined(separator: ", ")
        let room = width - words.displayWidth - 4
        guard room >= 5, planned > 0 else { return "  " + words }
        let share = Double(snapshot.done) / Double(planned)
        return "  \(LiveProgress.bar(share, cells: min(room, Self.widestBar)))  \(words)"
    }
}

extension LiveProgress {
    fileprivate var most: String { snapshot.scope.isOpenEnded ? "at most " : "" }

    fileprivate func text(ofRound number: Int) -> String {
        "round \(number) of \(most)\(max(snapshot.scope.rounds, number))"
    }

    /// The live view as one line per round, for outputs that cannot show a table. An example is
    /// `round 7 of at most 100: harbour 22.3 ms; meadow 14.2 ms, faster; brook 14.6 ms, 42 % of the
    /// evidence; cliff 14.0 ms, 3.1 % failed`. The text has no line break at its end.
    package var line: String {
        let format = LatencyFormat(fitting: resolvers.compactMap(\.latency.median))
        let words = resolvers.map { resolver in
            let time = resolver.latency.text(resolver.latency.median, in: format, none: "not asked")
            var parts = ["\(EscapedText.terminal(resolver.name)) \(time)"]
            if resolver.isUnverified { parts.append("not verified") }
            if resolver.failed > 0 {
                let cause = resolver.causes.main.map { " (\($0.cause.label))" } ?? ""
                parts.append("\(resolver.failedShare.description) failed\(cause)")
            }
            if resolver.evidence != nil { parts.append(LiveEvidence(of: resolver).phrase) }
            return parts.joined(separator: ", ")
        }
        return "\(text(ofRound: snapshot.settledRound)): " + words.joined(separator: "; ")
    }
}
