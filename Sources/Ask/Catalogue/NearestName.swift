/// A search for the name that the user probably meant.
package enum NearestName {
    /// The candidate with the fewest edits, if they are few enough for a typing error.
    package static func find(_ name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
        let allowance = max(1, min(3, wanted.count / 3))
        let nearest =
            candidates
            .map { (name: $0, edits: edits(wanted, Array($0.lowercased().unicodeScalars))) }
            .min { ($0.edits, $0.name) < ($1.edits, $1.name) }
        guard !wanted.isEmpty, let nearest, nearest.edits <= allowance else {
            return nil
        }
        return nearest.name
    }

    /// `; did you mean 'x'?`, or an empty text if no candidate is near.
    package static func question(_ name: String, among candidates: some Sequence<String>) -> String
    {
        advice(for: name, among: candidates).map { "; \($0)" } ?? ""
    }

    /// An error text: the value of `option` was not measured. It lists the measured names, or the
    /// probably intended name.
    package static func unmeasured(_ option: String, _ name: String, among all: [String]) -> String
    {
        if let (label, detail) = parts(of: name), all.contains(label) {
            let transport = TransportKind(rawValue: detail)
            return "\(option): '\(name)' is a label with the suffix of a report; write "
                + "'\(label)'" + (transport.map { " with --transport \($0.rawValue)" } ?? "")
        }
        let near = question(name, among: all)
        let some = all.prefix(12).joined(separator: ", ")
        return "\(option): '\(name)' was not measured"
            + (near.isEmpty && !some.isEmpty ? "; there are \(some)" : near)
    }

    /// The label, and the transport or address, of a name such as `mine (tls)`.
    private static func parts(of name: String) -> (label: String, detail: String)? {
        guard name.hasSuffix(")"), let start = name.ranges(of: " (").last else { return nil }
        return (String(name[..<start.lowerBound]), String(name[start.upperBound...].dropLast()))
    }

    /// `did you mean 'x'?`; `nil` if no candidate is near.
    package static func advice(
        for name: String,
        among candidates: some Sequence<String>
    ) -> String? {
        find(name, among: candidates).map { "did you mean '\($0)'?" }
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbours (optimal string
    /// alignment).
    private static func edits(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var older: [Int] = []
        var previous = Array(0...right.count)
        for (row, scalar) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(previous[column + 1] + 1, current[column] + 1)
                best = min(best, previous[column] + (scalar == other ? 0 : 1))
                if row > 0, column > 0, scalar == right[column - 1], other == left[row - 1] {
                    best = min(best, older[column - 1] + 1)
                }
                current.append(best)
            }
            older = previous
            previous = current
        }
        return previous[right.count]
    }
}
