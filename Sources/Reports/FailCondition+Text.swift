import Catalogue

/// Why a text is no condition, and how one is written.
package struct FailConditionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

extension FailCondition {
    /// Reads `[RESOLVER:]METRIC OP VALUE` or `[RESOLVER:]slower-than-baseline`.
    package init(parsing text: String) throws(FailConditionError) {
        let written = text.trimmed
        let sign = written.firstIndex { $0 == "<" || $0 == ">" }
        let subject = written[..<(sign ?? written.endIndex)].trimmed
        // A label has no colon, and neither has a metric.
        let parts = subject.split(separator: ":", omittingEmptySubsequences: false)
        let label = parts.count == 2 ? parts[0].trimmed : nil
        guard parts.count <= 2, label != "", let last = parts.last else {
            throw Self.refused(text, "it has more or less than a resolver before a colon")
        }
        let word = last.trimmed
        guard let metric = Metric(rawValue: word) else {
            let known = Metric.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.refused(text, "'\(word)' is no metric; there are \(known)")
        }
        self.text = written
        self.metric = metric
        resolver = label
        guard let sign else {
            guard metric == .slower else {
                throw Self.refused(text, "'\(word)' needs a value, as in '\(metric.example)'")
            }
            bound = nil
            return
        }
        guard metric != .slower else {
            throw Self.refused(text, "'\(word)' stands alone, without a value")
        }
        bound = try Self.bound(written[sign...], of: metric, in: text)
    }

    /// Such as `> 50ms` or `<= 1 %`.
    private static func bound(
        _ written: Substring,
        of metric: Metric,
        in text: String
    ) throws(FailConditionError) -> (Relation, Double) {
        guard let relation = Relation.allCases.first(where: { written.hasPrefix($0.rawValue) })
        else { throw refused(text, "write >, >=, < or <=") }
        let value = written.dropFirst(relation.rawValue.count).trimmed
        if metric.isShare {
            guard let share = percent(value) else {
                throw refused(text, "'\(value)' is no share; write a percentage: 0.5% or 1%")
            }
            return (relation, share)
        }
        do throws(CatalogueError) {
            let duration = try DurationText.parse(value.filter { $0 != " " })
            return (relation, duration.milliseconds)
        } catch {
            throw refused(text, error.description)
        }
    }

    /// `1%`, `0.5 %`: 0 to 100; as a fraction.
    private static func percent(_ text: String) -> Double? {
        guard text.hasSuffix("%") else { return nil }
        let number = text.dropLast().trimmed
        guard number.count <= 18, number.first?.isNumber == true,
            number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let percent = Double(number), percent <= 100
        else { return nil }
        return percent / 100
    }

    private static func refused(_ text: String, _ reason: String) -> FailConditionError {
        FailConditionError(description: "'\(text)': \(reason)")
    }
}

extension FailCondition.Metric {
    /// Whether it is a part of a whole, and not a time.
    var isShare: Bool { self == .loss || self == .failures }

    fileprivate var example: String { rawValue + (isShare ? " > 1%" : " > 50ms") }
}

extension StringProtocol {
    /// Without the spaces around it.
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
