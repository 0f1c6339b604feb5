import Failures
import LibC
import Processes
import Reports
import Samples
import Synchronization

/// A standard stream, and the properties of its terminal.
package struct Terminal {
    package static let output = Terminal(descriptor: STDOUT_FILENO)
    package static let error = Terminal(descriptor: STDERR_FILENO)
    /// The standard streams including standard input.
    static let standard = [Terminal(descriptor: STDIN_FILENO), output, error]

    let descriptor: Int32

    /// Takes the output of this task's commands; `nil` if it goes to the streams of the process.
    @TaskLocal static var capture: CapturedOutput?

    /// Opens `/dev/null` for each closed standard stream. Otherwise the next opened file would become that
    /// stream, and receive its output.
    static func reserve() {
        for (descriptor, mode) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ] where fcntl(descriptor, F_GETFD) < 0 {
            // The system assigns the lowest free descriptor.
            _ = unsafe open("/dev/null", mode)
        }
    }

    var isTerminal: Bool { Self.capture == nil && isatty(descriptor) == 1 }

    /// Columns and rows. Without a terminal, the columns are COLUMNS or 80, and the rows are 24.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            let columns = Environment["COLUMNS"].flatMap { Int($0) } ?? 80
            return ((20...1_000).contains(columns) ? columns : 80, 24)
        }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Whether colour is allowed: the terminal is not dumb, and NO_COLOR is unset (no-color.org).
    var allowsColour: Bool {
        isTerminal && (Environment["NO_COLOR"] ?? "").isEmpty && Environment["TERM"] != "dumb"
    }

    /// The option of every command with text for people. Errors of the parser follow it too.
    static let wantsASCII = options.contains("--ascii")
    /// The option of every command with reports.
    static let wantsPlain = options.contains("--plain")
    private static let options = CommandLine.arguments.prefix { $0 != "--" }

    /// Whether the locale uses UTF-8, in the order of POSIX. `nil` if no variable names a locale.
    static var isUnicode: Bool? {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment[$0] }
            .first { !$0.isEmpty }
        guard let name = locale?.lowercased() else { return nil }
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// Returns `text` in a form that the terminal can show: in ASCII with `--ascii`, on a dumb terminal and
    /// in a locale without UTF-8. Without any locale, as under cron, only a terminal gets ASCII.
    func legible(_ text: String) -> String {
        let isUnicode = Self.isUnicode ?? !isTerminal
        guard Self.wantsASCII || !isUnicode || Environment["TERM"] == "dumb" else { return text }
        return ASCIIText.spelled(
            text,
            width: isTerminal ? size.columns : .max,
            keepsData: isUnicode || !isTerminal
        )
    }

    static func mention(_ note: String) {
        try? error.write("dnstempo: \(EscapedText.terminal(note))\n")
    }

    /// Writes all of `text`, which is for people. Writes nothing if the reader has closed the stream.
    func write(_ text: String) throws { _ = try reach(Array(legible(text).utf8)) }

    /// Writes all of `data`, which is for programs. Writes nothing if the reader has closed the stream.
    func write(data: String) throws { _ = try reach(Array(data.utf8)) }

    /// Writes all of `bytes`. Returns false if the reader has closed the stream. Throws if the stream rejects
    /// them.
    func reach(_ bytes: [UInt8]) throws -> Bool {
        if let capture = Self.capture {
            capture.add(bytes, to: descriptor)
            return true
        }
        if writeAll(bytes[...], to: descriptor) { return true }
        // A reader that closed the pipe (`| head`) has all it wanted. The same applies to a closed terminal.
        if errno == EPIPE || errno == EIO && isDevice { return false }
        throw Failure(.inputOutput, "cannot write to \(name): \(reasonOfSystem())")
    }

    /// Whether the stream is a terminal, including a closed terminal.
    private var isDevice: Bool {
        var status = stat()
        let code = errno
        defer { errno = code }
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }

    private var name: String {
        descriptor == STDOUT_FILENO ? "standard output" : "standard error"
    }
}

/// The output of commands to the standard streams, by descriptor.
package final class CapturedOutput: Sendable {
    private let streams = Mutex<[Int32: [UInt8]]>([:])

    package init() {}

    func add(_ bytes: [UInt8], to descriptor: Int32) {
        streams.withLock { $0[descriptor, default: []] += bytes }
    }

    package func bytes(of terminal: Terminal) -> [UInt8] {
        streams.withLock { $0[terminal.descriptor] ?? [] }
    }
}
