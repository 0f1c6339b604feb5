import Reports

/// Text in Prometheus' exposition format, version 0.0.4: families of metrics, each with its help
/// and type before its figures.
struct ExpositionText {
    /// What Prometheus does with a family's figures.
    enum Kind: String {
        case counter, gauge, histogram
    }

    typealias Labels = [(name: String, value: String)]

    private(set) var text = ""

    /// Begins a family.
    mutating func family(_ name: String, _ kind: Kind, help: String) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n"
        text += "# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func add(_ name: String, _ labels: Labels, _ value: Int) {
        line(name, labels, "\(value)")
    }

    mutating func add(_ name: String, _ labels: Labels, _ value: Double) {
        line(name, labels, "\(value)")
    }

    private mutating func line(_ name: String, _ labels: Labels, _ value: String) {
        text += name
        for (index, label) in labels.enumerated() {
            text += index == 0 ? "{" : ","
            text += "\(label.name)=\"\(Self.escaped(label.value, quotes: true))\""
        }
        text += labels.isEmpty ? " \(value)\n" : "} \(value)\n"
    }

    /// Backslashes, and in values quotation marks, as the format has them; nothing is hidden.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        EscapedText.terminal(text).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
