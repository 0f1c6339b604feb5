import Samples
import Statistics

extension ComparisonReport {
    /// The answer of each series with the figures that it rests on, then what to know about them.
    package var fragments: [HTML] {
        answers + PageFragments.encryption(encryptionWords { $0 }) + [
            PageFragments.list(remarks(withP99: false))
        ]
    }

    /// The answer of each series with the figures that it rests on.
    var answers: [HTML] {
        guard !series.isEmpty else { return [PageFragments.answer("No resolver was measured.")] }
        return series.enumerated().flatMap { index, series in
            let finding = Finding(in: series, of: self)
            return [
                PageFragments.answer(
                    finding.headline,
                    scope: finding.scope,
                    details: finding.details,
                    isFirst: index == 0
                ),
                RankedRows(of: series, in: self).table.html,
            ]
        }
    }

    /// The caveats, a star where the table has one.
    func remarks(withP99: Bool) -> [String] {
        caveats(withP99: withP99).map { caveat in
            if case .fewSamples("p95", _, _, _) = caveat { "* \(caveat.text)" } else { caveat.text }
        }
    }
}
