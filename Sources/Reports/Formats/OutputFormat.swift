/// The format of an output file, which its suffix chooses.
package struct OutputFormat: Hashable, Sendable {
    /// Without the dot.
    package let suffix: String
    /// How to write it into a file.
    package let writer: any DocumentFormat

    package static let text = OutputFormat("txt", TextFormat(width: 100, isVerbose: true))
    package static let csv = OutputFormat("csv", CSVFormat())
    package static let json = OutputFormat("json", JSONFormat())
    package static let markdown = OutputFormat("md", MarkdownFormat())
    package static let svg = OutputFormat("svg", SVGFormat())
    package static let html = OutputFormat("html", HTMLFormat())

    package static let allCases = [text, csv, json, markdown, svg, html]

    private init(_ suffix: String, _ writer: any DocumentFormat) {
        self.suffix = suffix
        self.writer = writer
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

    package static func == (left: Self, right: Self) -> Bool { left.suffix == right.suffix }

    package func hash(into hasher: inout Hasher) { hasher.combine(suffix) }
}
