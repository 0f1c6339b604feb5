package import Failures

/// The format of an output file, which its suffix chooses, here without the dot.
package enum OutputFormat: String, Sendable, CaseIterable {
    case text = "txt"
    case csv, json
    case markdown = "md"
    case svg, png, html

    /// How to write it into a file; a .png is drawn from the SVG, by another program.
    package var writer: any DocumentFormat {
        switch self {
        case .text: TextFormat(width: 100, isVerbose: true)
        case .csv: CSVFormat()
        case .json: JSONFormat()
        case .markdown: MarkdownFormat()
        case .svg, .png: SVGFormat()
        case .html: HTMLFormat()
        }
    }

    /// Whether it is one picture.
    package var isPicture: Bool { self == .svg || self == .png }

    /// By what follows the last dot of `path`, in either case.
    package init(path: String) throws(Failure) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let suffix = parts.count > 1 ? parts.last?.lowercased() : nil
        guard let format = suffix.flatMap(Self.init) else {
            let known = Self.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
            throw .usage("cannot tell the format of '\(path)': end its name in one of \(known)")
        }
        self = format
    }
}
