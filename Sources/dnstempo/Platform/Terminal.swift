import Failures
import LibC
import Processes
import Reports
import Samples
import Synchronization

/// A standard stream, and what is known of the terminal behind it.
struct Terminal {
    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let error = Terminal(descriptor: STDERR_FILENO)
    /// Standard input too.
    static let standard = [Terminal(descriptor: STDIN_FILENO), output, error]

    let descriptor: Int32

    /// Takes the output of this task's commands; `nil` if it goes to the streams of the process.
    @TaskLocal static var capture: CapturedOutput?

    /// Puts something that takes nothing in the place of a standard stream that is closed: else the
    /// next file to be opened would be that stream, and get what is meant for it.
    static func reserve() {
        for (descriptor, mode) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
        ] where fcntl(descriptor, F_GETFD) < 0 {
            // It is the lowest that is free.
            _ = unsafe open("/dev/null", mode)
        }
    }

    var isTerminal: Bool { Self.capture == nil && isatty(descriptor) == 1 }

    /// Columns and rows; where there is no terminal to ask, what COLUMNS says, or 80, by 24.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            let columns = Environment["COLUMNS"].flatMap { Int($0) } ?? 80
            return ((20...1_000).contains(columns) ? columns : 80, 24)
        }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Whether colour may be used: a terminal that is not dumb, and no NO_COLOR (no-color.org).
    var allowsColour: Bool {
        isTerminal && (Environment["NO_COLOR"] ?? "").isEmpty && Environment["TERM"] != "dumb"
    }

    /// The option that every command with text for people has; errors of the parser follow it too.
    static let wantsASCII = CommandLine.arguments.prefix { $0 != "--" }.contains("--ascii")

    /// Whether the locale is of UTF-8, as POSIX finds it; `nil` where no variable names one.
    static var isUnicode: Bool? {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment[$0] }
            .first { !$0.isEmpty }
        guard let name = locale?.lowercased() else { return nil }
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// Returns `text` as it can be read here: in ASCII with `--ascii`, on a dumb terminal and in a
    /// locale without UTF-8. Without any locale, as under cron, only a terminal gets ASCII.
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

    /// Writes all of `text`, which is for people, or nothing where the reader has gone.
    func write(_ text: String) throws { _ = try reach(Array(legible(text).utf8)) }

    /// Writes all of `data`, which programs read, or nothing where the reader has gone.
    func write(data: String) throws { _ = try reach(Array(data.utf8)) }

    /// Writes all of `bytes`; false where the reader has gone. Throws where the stream does not take
    /// them.
    func reach(_ bytes: [UInt8]) throws -> Bool {
        if let capture = Self.capture {
            capture.add(bytes, to: descriptor)
            return true
        }
        if writeAll(bytes[...], to: descriptor) { return true }
        // A reader that has gone (`| head`) has what it wanted; so does a terminal.
        if errno == EPIPE || errno == EIO && isDevice { return false }
        throw Failure(.inputOutput, "cannot write to \(name): \(reasonOfSystem())")
    }

    /// Whether it is a terminal, also one that was closed.
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
final class CapturedOutput: Sendable {
    private let streams = Mutex<[Int32: [UInt8]]>([:])

    func add(_ bytes: [UInt8], to descriptor: Int32) {
        streams.withLock { $0[descriptor, default: []] += bytes }
    }

    func bytes(of terminal: Terminal) -> [UInt8] {
        streams.withLock { $0[terminal.descriptor] ?? [] }
    }
}
