import Reports
import Samples

/// Where pictures go: one file with every resolver, or a folder with a file for each.
enum ChartDestination {
    case standardOutput
    case file(String)
    case folder(String)

    /// A path that ends in `/` is a folder; a file that cannot be written is refused at once.
    init(_ path: String) throws {
        if path == OutputFiles.standardOutput {
            self = .standardOutput
        } else if path.hasSuffix("/") {
            self = .folder(path)
        } else {
            guard (try? OutputFormat(path: path)) == .svg else {
                throw Failure(
                    .usage,
                    "-o '\(path)': a chart is an .svg file, or a folder that ends in /"
                )
            }
            try OutputFiles.check([path])
            self = .file(path)
        }
    }

    /// Writes all or nothing.
    func write(_ drawing: HistoryDrawing) throws {
        switch self {
        case .standardOutput: try Terminal.output.write(drawing.svg())
        case .file(let path):
            try OutputFiles.write([OutputFiles.Content(path: path, text: drawing.svg())])
        case .folder(let path):
            let pictures = drawing.singles()
            guard !pictures.isEmpty else { return }
            try Folder.create(path)
            let names = FileNames(of: pictures.map(\.name), suffix: "svg").fileNames
            try OutputFiles.write(
                zip(names, pictures).map { name, picture in
                    OutputFiles.Content(path: path + name, text: picture.svg)
                }
            )
        }
    }
}
