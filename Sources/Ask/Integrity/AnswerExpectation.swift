package import DNSWire
import Samples

/// The expectation that the answers to one question must meet. All given conditions must hold.
package struct AnswerExpectation: Sendable, Codable {
    package var responseCode: ResponseCode?
    /// The data of the records, in any order and without repetitions, in the spelling of
    /// ``RecordText``.
    package var data: Set<String>?
    /// The number of records of the queried type.
    package var count: ClosedRange<Int>?
    /// The pattern that the data of at least one record must match.
    package var pattern: TextPattern?

    package init() {}

    /// The difference from the expectation, such as `192.0.2.9, expected 192.0.2.1`; `nil` if the
    /// response meets it. The text may contain text of the server.
    package func fault(of response: Response) -> String? {
        if let responseCode, response.code != responseCode {
            return "\(response.code), expected \(responseCode)"
        }
        let found = response.data ?? []
        if let data, Set(found) != data {
            let answered =
                found.isEmpty
                ? "no \(response.code == .noError ? "data" : "answer")" : Self.list(found)
            return "\(answered), expected \(data.isEmpty ? "none" : Self.list(data))"
        }
        if let count, !count.contains(found.count) {
            let least = count.upperBound == .max ? "at least " : ""
            let answers = found.count == 1 ? "1 answer" : "\(found.count) answers"
            return "\(answers), expected \(least)\(count.lowerBound)"
        }
        if let pattern, !found.contains(where: pattern.matches) {
            return "\(found.isEmpty ? "no data" : Self.list(found)), expected '\(pattern.text)'"
        }
        return nil
    }

    /// At most three records are listed, with at most 40 characters each.
    private static func list(_ data: some Collection<String>) -> String {
        let told = data.sorted().prefix(3).map { $0.cut(toCharacters: 40) }
        let others = data.count - told.count
        return told.joined(separator: " ") + (others > 0 ? " and \(others) more" : "")
    }
}
