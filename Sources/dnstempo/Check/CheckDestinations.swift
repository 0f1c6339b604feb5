import Reports

/// Where the result of checks goes; all is checked before anything is asked.
struct CheckDestinations {
    private let isJSON: Bool
    private let files: [(path: String, isJSON: Bool)]

    init(_ options: CheckOptions) throws {
        guard ["table", "json"].contains(options.format) else {
            throw Failure(.usage, "--format: '\(options.format)' is none; write table or json")
        }
        isJSON = options.format == "json"
        files = try options.output.map { path in
            switch try? OutputFormat(path: path) {
            case .text: return (path, false)
            case .json: return (path, true)
            default: throw Failure(.usage, "-o '\(path)': end its name in .txt or .json")
            }
        }
        try OutputFiles.check(options.output)
    }

    /// Standard output first: it is there even where a file then cannot be written. `text` takes
    /// the columns that there are.
    func write(text: (Int) -> String, json: JSONValue) throws {
        let jsonText = json.text() + "\n"
        let width = Terminal.output.size.columns
        try Terminal.output.write(isJSON ? jsonText : EscapedText.terminalLines(text(width)))
        try OutputFiles.write(
            files.map { file in
                OutputFiles.Content(
                    path: file.path,
                    text: file.isJSON ? jsonText : EscapedText.terminalLines(text(100))
                )
            }
        )
    }
}

extension EscapedText {
    /// Each line made harmless, their ends kept.
    fileprivate static func terminalLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { terminal(String($0)) }.joined(separator: "\n")
    }
}
