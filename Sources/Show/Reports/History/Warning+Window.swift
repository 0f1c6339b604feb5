import Analysis
import Samples
import Statistics

extension Warning {
    /// The most spans or days that are named. The rest is counted.
    private static let mostNamed = 5

    private static func list(_ texts: [String]) -> String {
        let texts = texts.uniqued
        let named = texts.prefix(mostNamed)
        let others = texts.count - named.count
        return named.joined(separator: ", ") + (others > 0 ? ", and \(others) more." : ".")
    }

    /// Notes that the figures are of a part of the measurement, such as `over tls`, or lack some places.
    static func limited(to selection: String, without places: [String]) -> [Warning] {
        (selection.isEmpty
            ? [] : [Warning(.selection, "The report is of queries \(selection).")])
            + places.map { Warning(.unreadPlace, $0) }
    }

    /// Notes on the star at a quantile, if a resolver has too few queries for it.
    static func fewSamples(
        _ latencies: [LatencySummary],
        showsP99: Bool = false
    ) -> [Warning] {
        let counts = latencies.filter { !$0.isOfFewRounds }.map(\.count).filter { $0 > 0 }
        let quantiles =
            [("p95", queriesForP95)] + (showsP99 ? [("p99", queriesForP99)] : [])
        return quantiles.compactMap { quantile, needed in
            guard let fewest = counts.min(), fewest < needed else { return nil }
            return fewSamples(quantile, needed, fewest, "Choose a longer window.")
        }
    }

    /// The note that a resolver got too few queries for a quantile: `fewest`. `remedy` says what to do.
    static func fewSamples(
        _ quantile: String,
        _ needed: Int,
        _ fewest: Int,
        _ remedy: String?
    ) -> Warning {
        var warning = Warning(
            .fewSamples,
            "\(quantile) needs at least \(needed) queries to a resolver, and one got \(fewest).",
            remedy
        )
        warning.isStarred = true
        return warning
    }

    /// All notes on the rounds, the certificates and the clock of the window.
    static func all(
        _ provenance: Provenance,
        _ verification: Verification,
        _ context: WindowContext
    ) -> [Warning] {
        let (log, clock, hasSums) = (provenance.log, context.clock, provenance.hasSums)
        let places = log.vantages.count > 1
        var notes =
            limited(to: context.selection, without: context.unreadPlaces)
            + verification.notes
        func add(
            _ kind: NoteKind,
            _ spans: [RoundLog.Span],
            _ remedy: String,
            _ what: (String) -> String
        ) {
            notes.add(kind, if: !spans.isEmpty) {
                let list = list(spans.map { $0.text(clock, withPlace: places) })
                let rounds = spans.reduce(0) { $0 + $1.rounds }.of("round", "rounds")
                return "\(what(rounds)): \(list)"
            } _: {
                remedy
            }
        }
        add(.offlineRounds, log.spans(marked: .offline), "Check the connection.") {
            "\($0) had no route to any resolver"
        }
        add(.outages, log.spans(marked: .outage), "Check the connection.") {
            "\($0) had no answer from any resolver"
        }
        add(.suspended, log.spans(marked: .suspended), "Keep the machine awake.") {
            "The machine was suspended in \($0)"
        }
        add(.gaps, log.gaps(until: context.gapsEnd), "Check the schedule.") {
            "About \($0) \($0 == "1 round" ? "is" : "are") missing"
        }
        notes += context.limits.notes(clock, in: context)
        notes += provenance.order.notes
        // Clock changes before the first round are not listed.
        guard
            let measured = log.measured(within: context.window) ?? (hasSums ? context.window : nil)
        else { return notes }
        let (start, end) = (measured.lowerBound, measured.upperBound)
        let odd = clock.oddDays(from: start, to: end).map(\.text)
        notes.add(.clockChange, if: !odd.isEmpty) { "The local clock changes: \(list(odd))" }
        notes.add(.partialHours, if: hasSums && clock.hasPartialHours(from: start, to: end)) {
            "Hourly sums are of UTC hours, each of which has parts of two hours on this clock."
        } _: {
            context.medium == .commandLine ? "Use --exact where samples are kept." : nil
        }
        return notes
    }
}

extension RoundLog.Span {
    fileprivate func text(_ clock: LocalClock, withPlace: Bool) -> String {
        let (first, last) = (clock.text(start), clock.text(end))
        // The day appears once if both times are on one day.
        let rest = first.prefix(10) == last.prefix(10) ? String(last.suffix(5)) : last
        let place = withPlace ? " (\(EscapedText.terminal(vantage)))" : ""
        return (first == last ? first : "\(first) to \(rest)") + place
    }
}

extension HistoryLimits {
    fileprivate func notes(_ clock: LocalClock, in context: WindowContext) -> [Warning] {
        var notes: [Warning] = []
        if let lost {
            notes.add(.prunedEdge) {
                "The samples of \(clock.text(lost.lowerBound)) to \(clock.text(lost.upperBound)) are "
                    + "no longer kept."
            }
        }
        if let samplesSince {
            notes.add(.pruned) {
                "Only samples have names and sites, and they are kept since "
                    + "\(clock.text(samplesSince))."
            }
        }
        if let imports = unaskedImports, context.window.overlaps(imports) {
            notes.add(.imports) {
                "The store has rounds of samples files from \(clock.text(imports.lowerBound)) to "
                    + "\(clock.text(imports.upperBound))."
            } _: {
                "Include them with \(context.medium.words(for: .readImports))."
            }
        }
        return notes
    }
}
