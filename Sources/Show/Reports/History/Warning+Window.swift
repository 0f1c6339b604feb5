import Analysis
import Samples
import Statistics

extension Warning {
    /// The most spans or days that are named; of more the number is told.
    private static let mostNamed = 5

    private static func list(_ texts: [String]) -> String {
        let named = texts.prefix(mostNamed)
        let others = texts.count - named.count
        return named.joined(separator: ", ") + (others > 0 ? ", and \(others) more." : ".")
    }

    /// That figures are of a part of what was measured, such as `over tls`, and without some places.
    static func limited(to selection: String, without places: [String]) -> [Warning] {
        (selection.isEmpty
            ? [] : [Warning(code: "selection", text: "Only queries \(selection).")])
            + places.map { Warning(code: "unread-place", text: $0) }
    }

    /// What a star beside a quantile means, where any resolver has too few queries for it.
    static func fewSamples(
        _ latencies: [LatencySummary],
        showsP99: Bool = false
    ) -> [Warning] {
        let counts = latencies.filter { !$0.isOfFewRounds }.map(\.count).filter { $0 > 0 }
        let quantiles =
            [("p95", queriesForP95)] + (showsP99 ? [("p99", queriesForP99)] : [])
        return quantiles.compactMap { quantile, needed in
            guard let fewest = counts.min(), fewest < needed else { return nil }
            return fewSamples(quantile, needed, fewest, ": choose a longer window.")
        }
    }

    /// That a resolver got the `fewest` queries, too few for a quantile; `remedy` ends the sentence.
    static func fewSamples(
        _ quantile: String,
        _ needed: Int,
        _ fewest: Int,
        _ remedy: String
    ) -> Warning {
        Warning(
            code: "few-samples",
            text: "\(quantile) needs at least \(needed) queries to a resolver, and one got "
                + "\(fewest)\(remedy)",
            isStarred: true
        )
    }

    /// All that holds of the rounds behind figures, of who answered and of the clock in the window.
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
        func add(_ code: String, _ spans: [RoundLog.Span], _ what: (Int) -> String) {
            notes.add(code, if: !spans.isEmpty) {
                let list = list(spans.map { $0.text(clock, withPlace: places) })
                return "\(what(spans.reduce(0) { $0 + $1.rounds })): \(list)"
            }
        }
        let leftOut: [(RoundMarks, code: String, what: String)] = [
            (.offline, "offline-rounds", "had no route to any resolver"),
            (.outage, "outages", "had no answer from any resolver"),
            (.suspended, "suspended", "saw the machine suspended"),
        ]
        for (marks, code, what) in leftOut {
            add(code, log.spans(marked: marks)) { rounds in
                "\(rounds.of("round", "rounds")) \(what) and \(rounds == 1 ? "is" : "are") left out"
            }
        }
        add("gaps", log.gaps(until: context.gapsEnd)) { rounds in
            "Not measured, about \(rounds.of("round", "rounds"))"
        }
        notes += context.limits.notes(clock, in: context)
        notes += provenance.order.notes
        // Of decades before the first round nobody wants to know.
        guard
            let measured = log.measured(within: context.window) ?? (hasSums ? context.window : nil)
        else { return notes }
        let (start, end) = (measured.lowerBound, measured.upperBound)
        let odd = clock.oddDays(from: start, to: end).map(\.text)
        notes.add("clock-change", if: !odd.isEmpty) { "The clock changes: \(list(odd))" }
        notes.add("partial-hours", if: hasSums && clock.hasPartialHours(from: start, to: end)) {
            "Hourly sums are of UTC hours, each of which has parts of two hours on this clock and "
                + "counts for the first\(context.medium.words(for: .readSamples))."
        }
        return notes
    }
}

extension RoundLog.Span {
    fileprivate func text(_ clock: LocalClock, withPlace: Bool) -> String {
        let (first, last) = (clock.text(start), clock.text(end))
        // The day is said once where both are of one.
        let rest = first.prefix(10) == last.prefix(10) ? String(last.suffix(5)) : last
        let place = withPlace ? " (\(EscapedText.terminal(vantage)))" : ""
        return (first == last ? first : "\(first) to \(rest)") + place
    }
}

extension HistoryLimits {
    fileprivate func notes(_ clock: LocalClock, in context: WindowContext) -> [Warning] {
        var notes: [Warning] = []
        if let lost {
            notes.add("pruned-edge") {
                "The samples of \(clock.text(lost.lowerBound)) to \(clock.text(lost.upperBound)) are "
                    + "no longer kept: what was measured then is left out."
            }
        }
        if let samplesSince {
            notes.add("pruned") {
                "Only samples have names and sites, and they are kept since "
                    + "\(clock.text(samplesSince)): earlier rounds are left out."
            }
        }
        if let imports = unaskedImports, context.window.overlaps(imports) {
            notes.add("imports") {
                "Rounds of samples files from \(clock.text(imports.lowerBound)) to "
                    + "\(clock.text(imports.upperBound)) are left out: "
                    + "\(context.medium.words(for: .readImports)) has them too."
            }
        }
        return notes
    }
}
