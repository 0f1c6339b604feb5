import Catalogue
import Evidence
import Failures
import Files
import LibC
import Reports
import Samples

/// Paths that mean the same wherever a command is run from. Symbolic links stay as they are, since
/// they go on leading to what an upgrade puts behind them.
enum AbsolutePath {
    static func of(_ path: String) throws(Failure) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = unsafe getcwd(nil, 0) else {
            throw Failure(.inputOutput, "the current folder is gone; change into another")
        }
        defer { unsafe free(folder) }
        var relative = path[...]
        while relative.hasPrefix("./") { relative = relative.dropFirst(2) }
        let start = unsafe String(cString: folder)
        return start == "/" ? "/\(relative)" : "\(start)/\(relative)"
    }

    static func ofThisProgram() throws(Failure) -> String {
        let called = CommandLine.arguments.first ?? ""
        if called.contains("/") { return try of(called) }
        if let path = try ofProgram(called) { return path }
        throw Failure.usage("cannot tell where dnstempo is; call it by its path")
    }

    /// A program by its path, or by its name in `PATH`; `nil` where there is none.
    static func ofProgram(_ name: String) throws(Failure) -> String? {
        let folders = (Environment["PATH"] ?? "").split(separator: ":")
        let places =
            name.contains("/") ? [name] : name.isEmpty ? [] : folders.map { "\($0)/\(name)" }
        for place in places {
            let path = try of(place)
            if isProgram(path) { return path }
        }
        return nil
    }

    static func isProgram(_ path: String) -> Bool {
        unsafe isFile(path) && access(path, X_OK) == 0
    }

    /// Whether a regular file is there.
    static func isFile(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG
    }

    static func isMissing(_ path: String) -> Bool {
        unsafe access(path, F_OK) != 0 && errno == ENOENT
    }

    /// The store unless `--store` says otherwise (XDG Base Directory Specification).
    static func ofDefaultStore() throws(Failure) -> String {
        "\(try folder("XDG_DATA_HOME", usual: ".local/share"))/dnstempo/dnstempo.sqlite"
    }

    /// The folder of configurations (XDG Base Directory Specification).
    static func ofConfigurations() throws(Failure) -> String {
        try folder("XDG_CONFIG_HOME", usual: ".config")
    }

    private static func folder(_ variable: String, usual: String) throws(Failure) -> String {
        if let folder = Environment[variable], folder.hasPrefix("/") { return folder }
        guard let home = Environment["HOME"], home.hasPrefix("/") else {
            throw Failure.usage("HOME is not set to an absolute path; set it")
        }
        return "\(home)/\(usual)"
    }
}

enum InputFile {
    /// The whole content of a small file; one that cannot be read is a failure that names it.
    static func bytes(_ path: String) throws(Failure) -> [UInt8] {
        try bytes(of: InputChunks(path))
    }

    /// The same of a file that is open.
    static func bytes(of chunks: InputChunks) throws(Failure) -> [UInt8] {
        let path = chunks.path
        var bytes: [UInt8] = []
        while true {
            let chunk = try chunks.next()
            if chunk.isEmpty { return bytes }
            bytes += chunk
            guard bytes.count <= mostOctets else {
                throw Failure(.badData, "'\(path)' is larger than 16 MB; give another file")
            }
        }
    }

    private static let mostOctets = 16 << 20

    /// Refuses an output that would take the place of one of the `inputs`, which are only looked for
    /// where there is a file to be written.
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

    /// The token in the first line of a file, as `read` makes it of one that is written as `form` says.
    static func token<Token>(
        _ path: String,
        form: String,
        _ read: (String) -> Token?
    ) throws(Failure) -> Token {
        let text = String(decoding: try bytes(path), as: UTF8.self)
        let line = text.split(separator: "\n", maxSplits: 1).first ?? ""
        guard let token = read(String(line)) else {
            throw Failure(.badData, "'\(path)': its first line is no token: write \(form)")
        }
        return token
    }
}

extension Recording {
    /// Reads a samples file, and mentions what of it is no sample.
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
    /// The format of a samples file that is to be written under this name.
    init?(path: String) {
        switch Self.suffix(of: path) {
        case "csv": self = .csv
        case "jsonl": self = .jsonLines
        default: return nil
        }
    }

    /// Whether a file is one of samples by its name, and no store; results of RIPE Atlas have the
    /// suffix .json.
    static func isSuffix(of path: String) -> Bool {
        ["csv", "jsonl", "json"].contains(suffix(of: path))
    }

    private static func suffix(of path: String) -> String? {
        path.contains(".") ? path.split(separator: ".").last?.lowercased() : nil
    }

    /// The format of a file, which `word` names, or its content or name tells; one that none of them
    /// does is a failure that names it.
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
    /// Makes the folders that lead to a file, as far as they are missing.
    static func create(ofFile path: String) throws(Failure) {
        let slashes = path.indices.dropFirst().filter { path[$0] == "/" }
        for slash in slashes { try create(String(path[..<slash])) }
    }

    static func create(_ path: String) throws(Failure) {
        guard unsafe mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw Failure(.cannotCreate, "cannot make the folder '\(path)': \(Failure.reasonOfSystem)")
    }
}

/// A new file that is written piece by piece, while others may read it.
final class NewFile: Sendable {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw Failure(.cannotCreate, "cannot make '\(path)': \(Failure.reasonOfSystem)")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: [UInt8]) throws(Failure) {
        guard writeAll(bytes[...], to: descriptor) else {
            throw Failure(.inputOutput, "cannot write '\(path)': \(Failure.reasonOfSystem)")
        }
    }
}

final class InputChunks {
    let path: String
    /// The first octets, where they were looked at and not yet handed over.
    private var looked: [UInt8]?
    private var isAtStart = true
    private let descriptor: Int32

    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable }
    }

    /// Opens a file of a bundle, of at most so many octets.
    init(ofBundle path: String, atMost most: Int = .max) throws(Failure) {
        self.path = path
        do {
            descriptor = try BundleFile.open(path, atMost: most) ?? -1
        } catch {
            throw Failure(error)
        }
        guard descriptor >= 0 else { throw unreadable }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The first octets, which ``next()`` still hands over.
    func beginning() throws(Failure) -> [UInt8] {
        let first = try next()
        looked = first
        return first
    }

    func next() throws(Failure) -> [UInt8] {
        if let first = looked {
            looked = nil
            return first
        }
        var count = 0
        // Room that is not filled takes nothing: most files are small, and some are read at each start.
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { room, filled in
            count = uninterrupted { unsafe read(descriptor, room.baseAddress, room.count) }
            filled = max(0, count)
        }
        guard count >= 0 else { throw unreadable }
        if isAtStart, let compression = Compression(beginning: chunk) {
            throw Failure(.badData, compression.refusal(of: path))
        }
        isAtStart = false
        return chunk
    }

    private var unreadable: Failure {
        let status: ExitStatus = errno == EIO ? .inputOutput : .noInput
        return Failure(status, "cannot read '\(path)': \(Failure.reasonOfSystem)")
    }
}
