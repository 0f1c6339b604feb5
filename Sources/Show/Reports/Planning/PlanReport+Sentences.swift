import Samples
import Statistics

extension PlanReport {
    /// The length of the run for the wanted difference. With several candidates the longest one counts.
    var lengthSection: Document.Section {
        guard let difference else { return .init("") }
        let said = LatencyFormat.plain(difference)
        let reachable = rows.filter { $0.reachable != nil }
        let slowest = reachable.max { ($0.length?.rounds ?? 0) < ($1.length?.rounds ?? 0) }
        guard let slowest, let length = slowest.length else {
            let farther =
                "Give a --difference that is further from the margin of "
                + "\(LatencyFormat.plain(rules.margin))."
            let headline =
                rows.contains { $0.length != nil }
                ? "One run is too short to find a difference of \(said)."
                : "\(VerdictForecast.mostRounds) rounds do not find a difference of \(said)."
            return .init(headline, details: [farther] + rows.compactMap(limit))
        }
        let rounds = length.rounds.of("round", "rounds")
        let span = LatencyFormat.span(length.duration)
        let isFaster = difference > rules.margin
        let headline =
            isFaster
            ? "About \(rounds) (\(span)) find a difference of \(said) with 90 % power."
            : "About \(rounds) (\(span)) show with 90 % power that \(said) is below the margin."
        let spans = [length.durations.lowerBound, length.durations.upperBound]
            .map(LatencyFormat.span)
        let isAlone = reachable.count { $0.length?.rounds == length.rounds } == 1
        let slow = rows.count > 1 && isAlone ? ", for \(slowest.name), which takes longest" : ""
        let range = "\(length.range.lowerBound) to \(length.range.upperBound) rounds"
        var details = [
            verdict(isFaster, said),
            "Likely range: \(range) (\(spans[0]) to \(spans[1]))\(slow).",
        ]
        if length.range.upperBound > run.mostRounds {
            details.append(
                "compare ends after \(run.mostRounds) rounds: add --max-rounds "
                    + "\(length.range.upperBound)."
            )
        }
        return .init(headline, details: details + rows.compactMap(exception))
    }

    /// The difference that a run of the given time finds for each candidate.
    var timeSection: Document.Section {
        guard let time else { return .init("") }
        let rounds = time.rounds.of("round", "rounds")
        let run = "A run of \(LatencyFormat.span(time.duration)) (\(rounds))"
        guard let largest = rows.compactMap(\.smallest).max() else {
            return .init("\(run) finds no difference with 90 % power.")
        }
        let blind = rows.filter { $0.isFounded && $0.smallest == nil }
        let most = VerdictForecast.mostRounds
        return .init(
            "\(run) finds \(Self.rough(largest)) or more with 90 % power.",
            details: blind.map { "\($0.name): it finds no difference." }
                + (time.rounds > most ? ["That is of \(most) rounds; more may find less."] : [])
        )
    }

    /// The basis of the forecast, and the way to improve it.
    var basis: [String] {
        let earlier = rows.filter(\.isFounded).map(\.earlier).min() ?? 0
        let pair =
            rows.count == 1
            ? "\(rows[0].name) and \(baseline)" : "\(baseline) and each candidate"
        let pace =
            "\(run.pace.rate.fixed(least: 0, most: 2)) queries per second per resolver, "
            + "\(run.pace.totalRate.fixed(least: 0, most: 2)) in total"
        var basis = [
            "Made of \(earlier.of("earlier round", "earlier rounds")) of \(pair).",
            "One round: \(run.queries) queries to \(run.resolvers) resolvers, "
                + "\(LatencyFormat.plain(run.round.inSeconds * 1000)) (\(pace)).",
            schedule(after: earlier),
        ]
        if places > 1 {
            basis.append("The rounds are from \(places) vantage points: choose one with --vantage.")
        }
        return basis
    }

    private func verdict(_ isFaster: Bool, _ said: String) -> String {
        guard rules.margin > 0 else { return "Verdict: faster." }
        let margin = LatencyFormat.plain(rules.margin)
        guard !isFaster else { return "Verdict: more than \(margin) faster (the margin)." }
        let finer = (difference ?? 0) > 0 ? " To find the \(said), add --margin 0ms." : ""
        return "Verdict: not more than \(margin) faster (the margin).\(finer)"
    }

    /// The reason why a row has no possible length.
    private func exception(_ row: Row) -> String? {
        if row.length != nil { return limit(row) }
        return row.isFounded
            ? "\(row.name): \(VerdictForecast.mostRounds) rounds are too few."
            : "\(row.name): \(row.earlier.of("usable round", "usable rounds")), "
                + "\(VerdictForecast.fewestEarlier) needed."
    }

    /// The reason why no run has the length of a row.
    private func limit(_ row: Row) -> String? {
        row.length.flatMap { length in
            length.most.map {
                "\(row.name): takes \(length.rounds.of("round", "rounds")), and one run asks uncached "
                    + "names in \($0) at most."
            }
        }
    }

    private func schedule(after earlier: Int) -> String {
        let hour =
            "A schedule every \(Self.scheduleMinutes) minutes adds \(Self.scheduledRounds) rounds "
            + "per hour"
        guard let next = nextPrecision else { return "\(hour); the range stays as it is." }
        let low = Int(((1 - next.low) * 100).rounded())
        let missing = max(0, next.earlier - earlier)
        let hours = (missing + Self.scheduledRounds - 1) / Self.scheduledRounds
        return "\(hour): in \(hours) h, with \(next.earlier) rounds, the range is ±\(low) %."
    }
}
