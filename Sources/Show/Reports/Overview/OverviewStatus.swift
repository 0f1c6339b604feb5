import Analysis
import Samples
import Statistics

/// The first finding of a page about the present.
struct OverviewStatus: Hashable, Sendable {
    /// From the worst to the best. The first state that applies is the headline.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// No recent round: every other finding is about the past.
        case stale
        /// The resolver in use, or every resolver, gave no usable answer.
        case outage
        case objectiveMissed = "objective-missed"
        /// The resolver in use is worse than before, or loses queries.
        case degraded
        case fine = "ok"
        /// Nothing was measured.
        case unmeasured
    }

    var kind: Kind
    var sentence: String

    /// Whether a reader must act or wait.
    var isBad: Bool { ![.fine, .unmeasured].contains(kind) }
}

extension OverviewReport {
    /// The headline: the worst current state. Without a fault it is the verdict on the other resolvers, or
    /// the health of the resolver in use.
    var status: OverviewStatus {
        guard let week, !week.rows.isEmpty else {
            return OverviewStatus(kind: .unmeasured, sentence: context.nothing)
        }
        let isDegraded = currentSpan?.health?.isBad == true
        let troubles: [(OverviewStatus.Kind, sentence: String?)] = [
            (.stale, overdueSentence), (.outage, outageSentence),
            (.objectiveMissed, objectiveState == .missed ? objectiveSentence : nil),
            (.degraded, isDegraded ? healthSentence : nil),
        ]
        for case let (kind, sentence?) in troubles {
            return OverviewStatus(kind: kind, sentence: sentence)
        }
        return OverviewStatus(kind: .fine, sentence: calmSentence)
    }

    /// The headline without a fault.
    private var calmSentence: String {
        if let answer = places?.words.first { return answer }
        guard vantages.count == 1 else {
            return "\(vantages.count) places measured in the \(longest)."
        }
        guard let inUse else { return fastest(in: spans.last) ?? context.nothing }
        if let verdict, currentSpan != nil { return verdict.headline }
        let name = EscapedText.terminal(inUse)
        return healthSentence ?? "\(name) was not measured in the \(longest)."
    }

    /// The shortest span in which the resolver in use was measured.
    private var currentSpan: Span? {
        spans.first { $0.health.map { $0.state != .unmeasured } ?? false }
    }

    /// The health of the resolver in use, such as `harbour was OK in the last hour: median …`.
    private var healthSentence: String? { currentSpan.flatMap(healthSentence(of:)) }

    /// The same for any span.
    func healthSentence(of span: Span) -> String? {
        guard let inUse, let health = span.health else { return nil }
        let name = EscapedText.terminal(inUse)
        return "\(health.words(name)) in the \(span.period.title)\(health.addition)."
    }

    /// Facts below the headline that no section of the page shows.
    var statusDetails: [String] {
        let status = status
        let health = [healthSentence].compactMap(\.self).filter { $0 != status.sentence }
        let remedy = status.kind == .stale ? ["Check the schedule: dnstempo schedule status."] : []
        let ofPlaces = (places?.words ?? []).filter { $0 != status.sentence }
        return remedy + health + ofPlaces + availabilitySentences
    }

    private var outageSentence: String? {
        if let ongoingOutage { return ongoingOutage }
        if let health = currentSpan?.health, [.silent, .offline].contains(health.state) {
            return healthSentence
        }
        guard inUse == nil,
            let span = spans.first(where: { span in
                span.report.rows.contains { $0.figures.counts.sent > 0 }
            }),
            span.report.rows.allSatisfy({ $0.figures.counts.answered == 0 })
        else { return nil }
        return "No resolver gave a usable answer in the \(span.period.title)."
    }

    /// An outage that still lasts. Figures exclude its rounds.
    private var ongoingOutage: String? {
        guard let present = context.present else { return nil }
        let kinds: [(RoundMarks, words: String)] = [
            (.outage, "No resolver has answered"), (.offline, "No resolver has been reachable"),
        ]
        for (marks, words) in kinds {
            guard let span = provenance.log.ongoing(marks).min(by: { $0.start < $1.start }) else {
                continue
            }
            let place = vantages.count > 1 ? " from \(EscapedText.terminal(span.vantage))" : ""
            return "\(words)\(place) for \(LatencyFormat.span(present.since(span.start)))."
        }
        return nil
    }

    /// The result of the resolver in use; without a resolver in use, the worst result.
    var objectiveState: ObjectiveResult.State? {
        let own = (objective?.rows ?? []).filter { row in
            let label = row.subject.target.unnamed(at: row.subject.vantage).label
            return inUse == nil || inUse == label
        }
        return [.missed, .open, .kept].first { state in own.contains { $0.result.state == state } }
    }

    /// Places whose schedule is late.
    var overdue: [RoundLog.Overdue] {
        context.present.map(provenance.log.overdue) ?? []
    }

    /// The sentence on a late schedule, such as `No round for 1 h 18 min; expected every 5 min.`
    private var overdueSentence: String? {
        let overdue = overdue
        guard let present = context.present, let latest = overdue.max(by: { $0.last < $1.last })
        else { return nil }
        func age(_ place: RoundLog.Overdue) -> String {
            LatencyFormat.span(present.since(place.last))
        }
        let expected = "expected every \(LatencyFormat.span(latest.interval.rounded))"
        if vantages.count == 1 { return "No round for \(age(latest)); \(expected)." }
        if overdue.count == 1 {
            let name = EscapedText.terminal(latest.vantage)
            return "No round from \(name) for \(age(latest)); \(expected)."
        }
        let named = overdue.prefix(3).map { "\(EscapedText.terminal($0.vantage)) (\(age($0)))" }
        let more = overdue.count > 3 ? " and \(overdue.count - 3) more" : ""
        return "\(overdue.count) of \(vantages.count) places have no recent round: "
            + "\(named.joined(separator: ", "))\(more)."
    }
}

extension Duration {
    /// The interval as a schedule states it. The distances of rounds differ slightly from the slots.
    fileprivate var rounded: Duration {
        let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
        let step: Double = seconds < 60 ? 1 : seconds < 600 ? 10 : seconds < 7200 ? 60 : 600
        return .seconds(max(1, (seconds / step).rounded() * step))
    }
}
