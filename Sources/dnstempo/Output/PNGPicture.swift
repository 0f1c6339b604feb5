import Failures
import Processes
import Reports

/// Pictures as PNG. librsvg's `rsvg-convert` draws them from the SVG.
enum PNGPicture {
    private static let program = "rsvg-convert"
    /// The time limit, longer than any chart requires. A hanging program must not block a report.
    private static let limit = Duration.seconds(60)
    /// Pixels per user unit, for the sharpness of current screens.
    private static let pixels = 2

    /// Throws if pictures cannot be drawn. It draws a minimal picture for the first `path` that ends in .png,
    /// so that a problem is detected before a long run.
    static func check(_ paths: [String]) async throws(Failure) {
        guard let path = paths.first(where: { (try? OutputFormat(path: $0)) == .png }) else {
            return
        }
        let smallest = #"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>"#
        _ = try await drawn(smallest, for: path)
    }

    /// The bytes of `text` for the file at `path`. If the path ends in .png, `text` is SVG and is drawn.
    static func bytes(of text: String, for path: String) async throws -> [UInt8] {
        let isPNG = try OutputFormat(path: path) == .png
        return isPNG ? try await drawn(text, for: path) : Array(text.utf8)
    }

    /// The picture `svg` as the bytes of a PNG file for `path`.
    private static func drawn(_ svg: String, for path: String) async throws(Failure) -> [UInt8] {
        let output = try await ChildProgram.run(
            [program, "--format", "png", "--zoom", "\(pixels)"],
            input: Array(svg.utf8),
            limit: limit,
            most: 1 << 28
        )
        guard let output else {
            throw Failure(
                .cannotCreate,
                "'\(path)': PNG needs \(program): install librsvg2-bin (macOS: brew install "
                    + "librsvg), or write an .svg"
            )
        }
        guard output.code == 0, output.bytes.starts(with: signature) else {
            let how = output.code < 0 ? "was ended by a signal" : "ended with \(output.code)"
            // The output may be an incomplete picture.
            let said = output.bytes.isEmpty ? ": \(output.message)" : ""
            throw Failure(
                .cannotCreate,
                "cannot write '\(path)': \(program) \(how)\(said); write an .svg instead"
            )
        }
        return output.bytes
    }

    /// The signature of the PNG specification, §5.2.
    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
}
