import Samples

/// A page of the reference in Markdown, made from the definitions that write a format. It has one
/// table per object and one per table of CSV.
struct ReferencePage {
    private var lines: [String] = []
    private var written: Set<String> = []

    var text: String { lines.joined(separator: "\n") + "\n" }

    init(_ format: PublishedFormat) {
        lines = ["# \(format.title)", "", format.introduction]
        for part in format.parts { add(part, of: format) }
        if format.schema != nil {
            lines += [
                "",
                "The JSON Schema is [\(format.name).json](../../schemas/\(format.name).json); "
                    + "`dnstempo formats \(format.name)` prints it.",
            ]
        }
    }

    private mutating func add(_ part: PublishedFormat.Part, of format: PublishedFormat) {
        if let heading = part.heading { lines += ["", "## \(heading)"] }
        if !part.introduction.isEmpty { lines += ["", part.introduction] }
        if let object = part.object { add(object, heading: nil) }
        if let table = part.table {
            if part.object != nil { lines += ["", "### CSV: \(table.name)"] }
            lines += ["", "| column | type | unit | empty | meaning |", "|:--|:--|:--|:--|:--|"]
            for member in table.members where member.media != .jsonOnly {
                let empty = [
                    member.null.map { "if \($0)" }, member.presence.map { "unless \($0)" },
                ].compactMap(\.self)
                lines.append(
                    row([
                        "`\(member.key)`", typeText(member.form), member.unit?.rawValue ?? "",
                        empty.first ?? "", member.meaning,
                    ])
                )
            }
        }
    }

    /// Adds the table of an object, then the tables of the objects within it, each once.
    private mutating func add(_ object: ObjectForm, heading: String?) {
        if let heading { lines += ["", "### \(heading)"] }
        lines += ["", "| key | type | unit | present | meaning |", "|:--|:--|:--|:--|:--|"]
        var inner: [ObjectForm] = []
        for member in object.members where member.media != .csvOnly {
            let null = member.null.map { " `null` if \($0)." } ?? ""
            lines.append(
                row([
                    "`\(member.key)`", typeText(member.form), member.unit?.rawValue ?? "",
                    member.presence.map { "if \($0)" } ?? "always", member.meaning + null,
                ])
            )
            inner += member.form.objects
        }
        for form in inner where written.insert(form.name).inserted {
            add(form, heading: form.name)
        }
    }

    private func row(_ cells: [String]) -> String {
        "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
    }

    private func typeText(_ form: ValueForm) -> String {
        switch form {
        case .text: "text"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .fixed(let text): "`\(text)`"
        case .moment: "time"
        case .flag: "true, false"
        case .count: "count"
        case .integer: "integer"
        case .number: "number"
        case .list(let form): "list: \(typeText(form))"
        case .range(let form): "range: \(typeText(form))"
        case .optional(let form): "\(typeText(form)) or null"
        case .map(let form): "object by name: \(typeText(form))"
        case .open: "object"
        case .object(let form): "[\(form.name)](#\(form.name))"
        case .either(let forms): forms.map(typeText).joined(separator: " or ")
        }
    }
}

extension ValueForm {
    /// The objects that a value contains, the outermost first.
    fileprivate var objects: [ObjectForm] {
        switch self {
        case .object(let form): [form]
        case .list(let form), .range(let form), .optional(let form), .map(let form): form.objects
        case .either(let forms): forms.flatMap(\.objects)
        case .text, .word, .fixed, .moment, .flag, .count, .integer, .number, .open: []
        }
    }
}
