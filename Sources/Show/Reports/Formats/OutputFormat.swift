package import Failures

/// The format of an output file. The raw value is the suffix of the file name, without the dot.
package enum OutputFormat: String, Sendable, CaseIterable {
    case text = "txt"
    case csv, json
    case markdown = "md"
    case svg, png, html

    /// The writer of the format. A PNG is first drawn as SVG. Another program converts it.
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

    /// Whether the file is one picture.
    package var isPicture: Bool { self == .svg || self == .png }

    /// The format for the suffix of `path`, in upper or lower case. Throws a usage error for an
    /// unknown suffix.
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
