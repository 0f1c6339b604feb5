import Catalogue
import Reports
import Samples

extension AtlasRemarks {
    /// In words what of a file is no sample, or not all of one; `nil` without any.
    var words: String? {
        var left: [String] = []
        let count = others.values.reduce(0, +)
        if count > 0 {
            let types = others.sorted { $0.key < $1.key }.map { type, count in
                "\(type.isEmpty ? "other" : EscapedText.terminal(type)) \(count)"
            }
            left.append("\(count.counted("result")) not of DNS (\(types.listed))")
        }
        if withoutResult > 0 {
            left.append("\(withoutResult.counted("result")) with neither answer nor error")
        }
        if withoutResolver > 0 {
            left.append("\(withoutResolver.counted("result")) without the resolver's address")
        }
        var words = left.isEmpty ? [] : ["left out: \(left.joined(separator: ", "))"]
        if repeated > 0 {
            words.append("counted once: \(repeated.counted("repeated result"))")
        }
        if withoutQuestion > 0 {
            words.append(
                "the name of \(withoutQuestion.counted("result")) is unknown (shown as "
                    + "\(AtlasRemarks.unknownName); the measurement's option include_qbuf keeps it)"
            )
        }
        if undivided > 0 {
            words.append(
                "\(undivided.counted("query time")) over TCP or TLS "
                    + "\(undivided == 1 ? "includes" : "include") opening the connection"
            )
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }
}
