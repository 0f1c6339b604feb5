import Statistics

/// The live view as a line a round, for where no table can be drawn.
package struct LiveLine: Hashable, Sendable {
    private let progress: LiveProgress

    package init(_ progress: LiveProgress) { self.progress = progress }

    /// Such as `round 7 of at most 100: harbour 22.3 ms; meadow 14.2 ms, faster; brook 14.6 ms, 42 %
    /// of the evidence; cliff 14.0 ms, 3.1 % lost`, without the line's end.
    package var text: String {
        let most = progress.isOpenEnded ? "at most " : ""
        let rounds = max(progress.rounds, progress.settledRound)
        let format = LatencyFormat(fitting: progress.resolvers.compactMap(\.latency.median))
        let resolvers = progress.resolvers.map { words($0, format) }
        return "round \(progress.settledRound) of \(most)\(rounds): "
            + resolvers.joined(separator: "; ")
    }

    private func words(_ resolver: LiveProgress.Resolver, _ format: LatencyFormat) -> String {
        let latency = resolver.latency
        let none = latency.count > 0 ? LatencyFormat.beyond(latency.timeout) : "not asked"
        var parts = [
            "\(EscapedText.terminal(resolver.name)) \(latency.median.map(format.cell) ?? none)"
        ]
        if resolver.isUnverified { parts.append("not verified") }
        if resolver.lost > 0 {
            let share = Share(part: resolver.lost, whole: resolver.answered + resolver.lost)
            parts.append("\(share.description) lost")
        }
        if resolver.standing != nil { parts.append(LiveEvidence(of: resolver).phrase) }
        return parts.joined(separator: ", ")
    }
}
