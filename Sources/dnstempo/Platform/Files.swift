import Catalogue
import Failures
import Files
import LibC
import Processes
import Samples

extension InputFile {
    /// Rejects an output that would replace one of the `inputs`. `inputs` is evaluated only if a file will be
    /// written.
    static func keep(
        _ inputs: @autoclosure () throws -> [String],
        from outputs: [String]
    ) throws {
        let files = outputs.filter { $0 != OutputFiles.standardOutput }
        guard !files.isEmpty else { return }
        let inputs = try inputs()
        for output in files {
            let file = FileIdentity(output)
            let isInput = inputs.contains { input in
                (try? AbsolutePath.of(input)) == (try? AbsolutePath.of(output))
                    || file != nil && FileIdentity(input) == file
            }
            guard isInput else { continue }
            throw Failure.usage(
                "'\(output)' is an input of this command: give the output another name"
            )
        }
    }

    /// The token in the first line of a file, parsed by `read`. `form` describes the expected form.
    static func token<Token>(
        _ path: String,
        form: String,
        _ read: (String) -> Token?
    ) throws(Failure) -> Token {
        let text = String(decoding: try bytes(path), as: UTF8.self)
        let line = text.split(separator: "\n", maxSplits: 1).first ?? ""
        guard let token = read(String(line)) else {
            throw Failure(.badData, "'\(path)': its first line is not a token: write \(form)")
        }
        return token
    }

    /// The first line of a file with secrets, and its second line if it has one. An error names both as
    /// `first` and `second`, such as `the URL` and `a token`.
    static func pair(
        _ path: String,
        _ first: String,
        _ second: String,
        where isValid: (String) -> Bool
    ) throws(Failure) -> (String, String?) {
        let text = String(decoding: try bytes(path), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        guard (1...2).contains(lines.count), lines.allSatisfy(isValid) else {
            throw Failure(
                .badData,
                "'\(path)': write \(first) into its first line, and \(second), if there is one, into "
                    + "the second"
            )
        }
        return (lines[0], lines.count > 1 ? lines[1] : nil)
    }
}

extension Recording {
    /// Reads a samples file, and reports the parts that are not samples.
    init(file path: String) throws {
        let chunks = try InputChunks(path)
        let format = try SamplesFormat(of: chunks)
        var stream = SamplesStream(format, file: path, source: chunks.next)
        self = try stream.rest()
        if let words = stream.atlasRemarks?.words {
            Terminal.mention("\(path): \(words)")
        }
    }
}

extension SamplesFormat {
    /// The format for a new samples file of this name.
    init?(path: String) {
        switch Self.suffix(of: path) {
        case "csv": self = .csv
        case "jsonl": self = .jsonLines
        default: return nil
        }
    }

    /// Whether the name is that of a samples file and not of a store. Results of RIPE Atlas have the suffix
    /// .json.
    static func isSuffix(of path: String) -> Bool {
        ["csv", "jsonl", "json"].contains(suffix(of: path))
    }

    private static func suffix(of path: String) -> String? {
        path.contains(".") ? path.split(separator: ".").last?.lowercased() : nil
    }

    /// The format of a file, from `word`, its content or its name. Throws a failure with the file's name if
    /// the format is unknown.
    init(of chunks: InputChunks, named word: String? = nil) throws(Failure) {
        if let word {
            self = try word.choice(
                of: "--format",
                among: ["csv": .csv, "jsonl": .jsonLines, "atlas": .atlas]
            )
            return
        }
        let known = Self(path: chunks.path)
        let found = Self.recognised(in: try chunks.beginning())
        guard let format = found == .atlas ? found : known ?? found else {
            throw Failure.usage(
                "'\(chunks.path)' is not a samples file: its name ends in .csv or .jsonl, or it "
                    + "has results of RIPE Atlas"
            )
        }
        self = format
    }
}

extension Folder {
    /// Creates the missing folders on the path to a file.
    static func create(ofFile path: String) throws(Failure) {
        let slashes = path.indices.dropFirst().filter { path[$0] == "/" }
        for slash in slashes { try create(String(path[..<slash])) }
    }

    static func create(_ path: String) throws(Failure) {
        guard unsafe mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw Failure(.cannotCreate, "cannot make the folder '\(path)': \(reasonOfSystem())")
    }
}
