import Analysis
import Samples
import Statistics

/// The sentences of a ``Finding`` with a tested comparison.
struct VerdictSentences {
    struct Subject {
        var target: Int
        var row: ResolverSummary
        var comparison: Comparison
        var content: ContentComparison?
    }

    let context: ReportContext
    let evidence: SeriesEvidence
    let baseline: ResolverSummary
    /// In the order of the table.
    let subjects: [Subject]
    /// Whether the comparison is over cached and uncached names together.
    let isWhole: Bool
    private let format: LatencyFormat

    /// Sentences on one series, or on cached and uncached names together; `nil` if no resolver was compared
    /// with a baseline.
    init?(in series: Series?, of report: ComparisonReport) {
        guard let evidence = report.evidence(of: series ?? .cached), evidence.isTested,
            let baseline = evidence.baseline.flatMap(report.row)
        else { return nil }
        let candidates = series == nil ? evidence.whole : evidence.candidates
        guard !candidates.isEmpty else { return nil }
        isWhole = series == nil
        let rows = report.rows(of: series ?? .cached)
        self.evidence = evidence
        self.baseline = baseline
        context = report.context
        format = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        subjects =
            candidates
            .compactMap { one in report.places[one.target].map { (place: $0, candidate: one) } }
            .sorted { $0.place < $1.place }
            .map { place, candidate in
                Subject(
                    target: candidate.target,
                    row: report.rows[place],
                    comparison: candidate.comparison,
                    content: candidate.content
                )
            }
    }

    /// The candidate of the answer: the best recommended one, otherwise the nearest open one.
    var subject: Subject? {
        func nearest(_ places: some Sequence<Int>) -> Subject? {
            func lead(_ place: Int) -> Double {
                subjects[place].comparison.difference ?? -.infinity
            }
            return places.max { lead($0) < lead($1) }.map { subjects[$0] }
        }
        let open = subjects.indices.filter { place in
            let comparison = subjects[place].comparison
            return [.undecided, .tooClose].contains(comparison.verdict)
                && ![.setAside, .sharedCache].contains(comparison.reason)
        }
        return subjects.first { $0.comparison.verdict == .switch } ?? nearest(open)
            ?? nearest(subjects.indices)
    }

    /// The facts that support the headline, most important first, and the sentences on the others.
    var details: [String] {
        guard let subject else { return [] }
        if isWhole {
            return [
                difference(of: subject), average(of: subject), tampering(of: subject),
                lossRemedy(of: subject),
            ].compactMap(\.self) + content(of: subject) + others(than: subject)
        }
        return facts(on: subject) + [tampering(of: subject)].compactMap(\.self)
            + others(than: subject)
    }

    /// The statement on one candidate, with its facts, for an answer over several series; `nil` if it was not
    /// compared.
    func statement(on label: String) -> (headline: String, details: [String])? {
        guard let subject = subjects.first(where: { $0.row.target.label == label }) else {
            return nil
        }
        let headline =
            if subject.comparison.isFaster == nil {
                "no significant difference between \(subject.row.said) and \(baseline.said)."
            } else if isSilent(subject) {
                "\(subject.row.said) \(silence(of: subject))."
            } else {
                "\(subject.row.said) is \(typical(subject)) than \(baseline.said)."
            }
        return (headline, facts(on: subject))
    }

    private func facts(on subject: Subject) -> [String] {
        [times(of: subject), difference(of: subject), average(of: subject)].compactMap(\.self)
            + content(of: subject)
            + [shares(of: subject), losses(of: subject), lossRemedy(of: subject)]
            .compactMap(\.self)
    }

    /// The medians; for as-found names the means.
    private func times(of subject: Subject) -> String? {
        let isFound = subject.row.found != nil
        let times = [subject.row, baseline].compactMap {
            isFound ? $0.found?.mean : $0.latency.median
        }
        guard times.count == 2 else { return nil }
        let versus = DifferencePhrases(format: format).versus(times[0], times[1])
        return "\(subject.row.said): \(isFound ? "mean" : "median") \(versus) for \(current)."
    }

    /// The shares of cache hits, such as `In its cache: meadow 85 % of the names (82 to 88 %), harbour 61 %
    /// (57 to 65 %).`
    private func shares(of subject: Subject) -> String? {
        guard let mine = subject.row.found, let theirs = baseline.found, mine.share.count > 0,
            theirs.share.count > 0
        else { return nil }
        func words(_ name: String, _ share: HitShare, _ noun: String) -> String {
            share.isUnknown
                ? "\(name) unknown"
                : "\(name) \(share.words.share)\(noun) (\(share.words.interval))"
        }
        let noun = " of the names"
        let first = words(subject.row.said, mine.share, noun)
        let second = words(baseline.said, theirs.share, mine.share.isUnknown ? noun : "")
        return "In its cache: \(first), \(second)."
    }

    /// The difference as a sentence, such as `Median of paired differences: 8.2 ms faster, for now (95 %
    /// confidence interval: 7.9 to 8.4 ms faster).`
    private func difference(of subject: Subject) -> String? {
        let comparison = subject.comparison
        guard comparison.difference != nil else { return nil }
        let when = period(comparison)
        let shares = [PairedRound.hitShare, 1 - PairedRound.hitShare].map(DifferencePhrases.percent)
        let what =
            isWhole
            ? "With \(shares[0]) cached and \(shares[1]) uncached names (assumed)"
            : "\(comparison.statistic == .median ? "Median" : "Mean") of paired differences"
        return "\(what): \(typical(subject)), \(when) "
            + "(\(words(comparison).confidence(comparison.interval, of: comparison)))."
    }

    func period(_ comparison: Comparison) -> String {
        comparison.unit == .round
            ? "for now" : "over these \(LatencyFormat.span(context.span))"
    }

    private func average(of subject: Subject) -> String? {
        guard subject.comparison.reason == .tail else { return nil }
        let comparison = subject.comparison
        let failures = comparison.candidateFailures.failures + comparison.baselineFailures.failures
        let timeout = LatencyFormat.plain(context.plan.timeout.milliseconds)
        let reason = failures > 0 ? "failed queries count as \(timeout)" : "long tail"
        return "Mean of paired differences: \(onAverage(comparison)) (\(reason))."
    }

    func onAverage(_ comparison: Comparison) -> String {
        guard comparison.isSlowerOnAverage, let mean = comparison.meanDifference
        else { return "not faster" }
        return words(comparison).difference(mean)
    }

    /// The remedy if the queries are too few to know the failures.
    private func lossRemedy(of subject: Subject) -> String? {
        guard subject.comparison.reason == .lossUnknown,
            let tolerance = context.rules.lossTolerance
        else { return nil }
        let points = (tolerance * 100).fixed(least: 0, most: 1)
        return "Run more rounds or names: \(subject.row.said) may lose \(points) percentage points "
            + "more than \(baseline.said)."
    }

    private func losses(of subject: Subject) -> String? {
        let counts = subject.row.counts
        guard counts.measured > 0 else { return nil }
        let upper = ProportionInterval.anytime(successes: counts.failed, of: counts.measured)
            .upperBound
        let limit = "upper limit \((upper * 100).fixed(Share.decimals(of: upper))) %"
        let name = subject.row.said
        let isOfLookUps = subject.row.target.series == .browser
        let what =
            isOfLookUps
            ? "Look-ups of \(name) without an address"
            : "\(noun(of: subject).text.sentenceStart) of \(name)"
        let asked =
            isOfLookUps
            ? counts.measured.of("look-up", "look-ups") : counts.measured.of("query", "queries")
        let loss = "\(what): \(counts.failureRate.description)"
        guard counts.failed > 0 || baseline.counts.failed > 0 else { return "\(loss) (\(limit))." }
        return "\(loss) (\(counts.failed) of \(asked), \(limit)), "
            + "of \(baseline.said): \(baseline.counts.failureRate.description)."
    }

    /// The word for failures, as they are compared with the baseline.
    func noun(of subject: Subject) -> FailureNoun {
        FailureNoun(of: [subject.row.counts, baseline.counts])
    }

    /// The predicate of a candidate with few answers.
    func silence(of subject: Subject) -> String {
        noun(of: subject).prevails(in: subject.comparison.candidateFailures)
    }

    /// The predicate of a baseline that answered few queries that a candidate answered.
    func silence(besides subject: Subject) -> String {
        FailureNoun(of: baseline).prevails(in: subject.comparison.baselineFailures)
    }

    private func tampering(of subject: Subject) -> String? {
        guard subject.comparison.reason == .tampering else { return nil }
        return "\(subject.row.said) \(tampering(subject))."
    }

    func tampering(_ subject: Subject) -> String {
        context.tampering[subject.row.target.label].map(EscapedText.terminal)
            ?? "failed a check of its answers"
    }

    /// `your current resolver (NAME)`, or the name.
    private var current: String { baseline.said(isInUse: context.isBaselineInUse) }

    /// The margin, such as `5 ms`.
    var margin: String { LatencyFormat.plain(context.rules.margin) }

    /// The gain in words, such as `more than 5 ms faster`.
    var faster: String {
        context.rules.margin > 0 ? "more than \(margin) faster" : "faster"
    }

    func words(_ comparison: Comparison) -> DifferencePhrases {
        DifferencePhrases(
            of: comparison.difference,
            in: comparison.interval,
            beside: comparison.margin,
            otherwise: format
        )
    }

    /// The difference, such as `8.1 ms faster`.
    func typical(_ subject: Subject) -> String {
        let comparison = subject.comparison
        return comparison.difference.map(words(comparison).difference) ?? "faster"
    }
}

extension ComparisonRules.Unit {
    var plural: String { self == .hour ? "hours" : "rounds" }

    /// The number of pieces of evidence, such as `9 rounds`.
    func counted(_ count: Int) -> String {
        count.of(self == .hour ? "hour" : "round", plural)
    }
}

extension String {
    /// The name at the start of a sentence.
    var sentenceStart: String { prefix(1).uppercased() + dropFirst() }

    /// The text after a colon.
    var continued: String {
        let openings = ["Yes, ", "Stay ", "No ", "Not ", "Too "]
        return openings.contains(where: hasPrefix) ? prefix(1).lowercased() + dropFirst() : self
    }
}

extension ComparisonReport {
    /// The sentences of the answer: on cached and uncached names together, if both were compared.
    var answer: VerdictSentences? {
        VerdictSentences(in: nil, of: self)
            ?? series.first.flatMap { VerdictSentences(in: $0, of: self) }
    }
}
