import Catalogue
import Reports
import Samples

extension AtlasRemarks {
    /// The parts of a file that are not samples, or only partly, as text. `nil` if every part is a sample.
    var words: String? {
        func results(_ count: Int) -> String { count.counted("result") }
        let count = others.values.reduce(0, +)
        let types = others.sorted { $0.key < $1.key }.map { type, count in
            "\(type.isEmpty ? "other" : EscapedText.terminal(type)) \(count)"
        }
        let left = [
            (count, "\(results(count)) not of DNS (\(types.listed))"),
            (withoutResult, "\(results(withoutResult)) with neither answer nor error"),
            (withoutResolver, "\(results(withoutResolver)) without the resolver's address"),
        ].filter { $0.0 > 0 }.map(\.1)
        let verb = undivided == 1 ? "includes" : "include"
        let words = [
            (left.count, "left out: \(left.joined(separator: ", "))"),
            (repeated, "counted once: \(repeated.counted("repeated result"))"),
            (
                withoutQuestion,
                "the name of \(results(withoutQuestion)) is unknown (shown as "
                    + "\(AtlasRemarks.unknownName); the measurement's option include_qbuf keeps it)"
            ),
            (
                undivided,
                "\(undivided.counted("query time")) over TCP or TLS \(verb) opening the connection"
            ),
        ].filter { $0.0 > 0 }.map(\.1)
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }
}
