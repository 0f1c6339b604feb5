import Reports

/// What checks came to, in every format.
protocol TruthDocument {
    /// Lines of at most `width` columns.
    func text(_ width: Int) -> String
    var json: JSONValue { get }
    /// With the command that does it again.
    func page(command: String) -> HTMLPage
}

/// Where the result of checks goes; all is checked before anything is asked.
struct CheckDestinations {
    private let isJSON: Bool
    private let files: [(path: String, format: OutputFormat)]

    init(_ options: CheckOptions) throws {
        guard ["table", "json"].contains(options.format) else {
            throw Failure(.usage, "--format: '\(options.format)' is none; write table or json")
        }
        isJSON = options.format == "json"
        files = try options.output.map { path in
            guard let format = try? OutputFormat(path: path),
                [.text, .json, .html].contains(format)
            else { throw Failure(.usage, "-o '\(path)': end its name in .txt, .json or .html") }
            return (path, format)
        }
        try OutputFiles.check(options.output)
    }

    /// Standard output first: it is there even where a file then cannot be written, and the files
    /// where it is not.
    func write(_ document: any TruthDocument) throws {
        let width = Terminal.output.size.columns
        try Terminal.output.write(text(document, as: isJSON ? .json : .text, width: width)) {
            try OutputFiles.write(
                files.map { file in
                    OutputFiles.Content(
                        path: file.path,
                        text: text(document, as: file.format, width: 100)
                    )
                }
            )
        }
    }

    private func text(_ document: any TruthDocument, as format: OutputFormat, width: Int) -> String
    {
        switch format {
        case .json: document.json.text() + "\n"
        case .html: document.page(command: CommandLine.shown).text
        default: EscapedText.terminalLines(document.text(width))
        }
    }
}

extension EscapedText {
    /// Each line made harmless, their ends kept.
    fileprivate static func terminalLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { terminal(String($0)) }.joined(separator: "\n")
    }
}
