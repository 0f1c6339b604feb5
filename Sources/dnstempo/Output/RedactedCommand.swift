import Analysis
import Catalogue
import Charts
import DNSWire
import Processes
import Reports
import Samples

/// The command in a redacted output. Options stay. Of their values, only those stay that say nothing about the
/// user, such as numbers, formats, and resolvers of the catalogue.
extension Redaction {
    func command(_ words: [String]) -> String {
        let safe = SafeWords()
        return (["dnstempo"] + words.map { shown($0, safe) }).joined(separator: " ")
    }

    private func shown(_ word: String, _ safe: SafeWords) -> String {
        guard word.hasPrefix("-"), word.count > 1 else { return value(word, safe) }
        if word.hasPrefix("--") {
            guard let sign = word.firstIndex(of: "=") else { return word }
            return word[...sign] + value(String(word[word.index(after: sign)...]), safe)
        }
        // A letter may have its value behind it.
        return word.count == 2 ? word : word.prefix(2) + value(String(word.dropFirst(2)), safe)
    }

    private func value(_ word: String, _ safe: SafeWords) -> String {
        if safe.contains(word) || Self.isUsual(run: word) { return word.shellQuoted }
        let shown = replacingNoted(in: word)
        let isNoted = !shown.isEmpty && shown != word
        return isNoted && safe.isPlaceholder(shown) ? shown : "…"
    }
}

/// Words of commands that say nothing about the user.
private struct SafeWords {
    private static let placeholders: Set = [
        "vantage", "private", "source", "name", "zone", "run", "invalid",
    ]
    private let words: Set<String>

    init() {
        let bundled = (try? ResolverCatalogue.bundled())?.entries.map(\.name) ?? []
        let cases: [[String]] = [
            bundled, LabProfile.bundledNames, Campaign.bundledNames,
            TransportKind.allCases.map(\.rawValue), Series.words, Run.Origin.words,
            Sampling.allCases.map(\.rawValue), ChartKind.allCases.map(\.rawValue),
            WindowGrouping.allCases.map(\.rawValue), FailCondition.Metric.allCases.map(\.rawValue),
            [
                "compare", "report", "chart", "digest", "export", "connections", "check", "plan",
                "instrument", "table", "csv", "json", "jsonl", "markdown", "atlas", "long",
                "matrix", "system", "gateway", "last", "now", "all", "week", "month", "any",
                "charts.svg", "untrusted", "%", "ms", "s",
            ],
        ]
        words = Set(cases.joined())
    }

    /// Whether every part of the word is known, a number, a duration or a date.
    func contains(_ word: String) -> Bool {
        guard IPAddress(Endpoint.split(word[...]).host) == nil else { return false }
        if words.contains(word) { return true }
        return word.split(whereSeparator: { " ,/:<>=".contains($0) }).allSatisfy { part in
            words.contains(String(part)) || Self.isNumber(part) || Self.isDate(part)
                || RecordType(mnemonic: String(part)) != nil
        }
    }

    /// Whether the word is a placeholder only.
    func isPlaceholder(_ word: String) -> Bool {
        word.split(whereSeparator: { "-.*, ".contains($0) }).allSatisfy {
            Self.placeholders.contains(String($0)) || $0.allSatisfy(\.isNumber)
        }
    }

    /// A number with at most one dot, and a unit of at most two letters.
    private static func isNumber(_ part: Substring) -> Bool {
        let digits = part.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = part.dropFirst(digits.count)
        return digits.first?.isNumber == true && digits.count { $0 == "." } < 2
            && (unit.count < 3 && unit.allSatisfy { $0.isLetter || $0 == "%" })
    }

    private static func isDate(_ part: Substring) -> Bool {
        part.first?.isNumber == true && part.contains("-")
            && part.allSatisfy { $0.isASCII && $0.isNumber || "-TZ".contains($0) }
    }
}
