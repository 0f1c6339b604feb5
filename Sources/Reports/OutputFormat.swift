/// The format of an output file, which its suffix chooses.
package enum OutputFormat: Hashable, Sendable, CaseIterable {
    case text, csv, json, markdown, svg, html

    /// Without the dot.
    package var suffix: String {
        switch self {
        case .text: "txt"
        case .csv: "csv"
        case .json: "json"
        case .markdown: "md"
        case .svg: "svg"
        case .html: "html"
        }
    }

    /// By what follows the last dot of `path`, in either case.
    package init(path: String) throws(OutputError) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let suffix = parts.count > 1 ? parts.last?.lowercased() : nil
        guard let format = Self.allCases.first(where: { $0.suffix == suffix }) else {
            throw .unknownSuffix(path: path)
        }
        self = format
    }

    /// How to write it into a file.
    package var writer: any ReportFormat {
        switch self {
        case .text: TextTable(width: 100, isVerbose: true)
        case .csv: CSVSummary()
        case .json: JSONReport()
        case .markdown: MarkdownTable()
        case .svg: SVGReport()
        case .html: HTMLReport()
        }
    }
}
