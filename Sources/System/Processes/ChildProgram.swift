package import Failures
import LibC

/// Runs another program of this machine to its end.
package enum ChildProgram {
    package struct Output {
        /// The exit code; -1 if a signal ended the program.
        package let code: Int32
        package let bytes: [UInt8]
        /// The standard error, or else the standard output, in one line.
        package let message: String

        fileprivate init(_ status: Int32, _ streams: [ScratchFile]) {
            code = status & 0x7f == 0 ? status >> 8 & 0xff : -1
            bytes = streams[1].content()
            let said = [streams[2].content(), bytes].map(\.inOneLine).first { !$0.isEmpty }
            message = said ?? "it says nothing"
        }
    }

    /// Runs `words`. The first word is looked up in `PATH`, and `input` is the standard input. Returns `nil`
    /// if
    /// the program does not exist. The program and its children are killed after `limit`, and if the task is
    /// cancelled. Writing more than `most` bytes to one output also kills it, and is a failure.
    ///
    /// Its streams are files, so that neither process waits for the other.
    package static func run(
        _ words: [String],
        input: [UInt8] = [],
        environment: [String] = usual,
        limit: Duration? = nil,
        most: Int = 1 << 20
    ) async throws(Failure) -> Output? {
        let streams = [try ScratchFile(input), try ScratchFile([]), try ScratchFile([])]
        let deadline = limit.map { ContinuousClock.now + $0 }
        let descriptors = streams.map(\.descriptor)
        let pid = try spawn(words, environment, streams: descriptors, inOwnGroup: limit != nil)
        guard let pid else { return nil }
        var reason = "it had not ended after \(limit?.components.seconds ?? 0) s"
        var status: Int32?
        while deadline.map({ ContinuousClock.now < $0 }) ?? true {
            status = try wait(for: pid, words, options: WNOHANG)
            if streams[1...].contains(where: { $0.size > most }) {
                reason = "it wrote more than \(most >> 20) MB"
                break
            }
            if let status { return Output(status, streams) }
            if Task.isCancelled {
                reason = "dnstempo was ended"
                break
            }
            try? await Task.sleep(for: .milliseconds(5))
        }
        if status == nil {
            kill(limit == nil ? pid : -pid, SIGKILL)
            _ = try wait(for: pid, words, options: 0)
        }
        throw Failure(.inputOutput, "'\(words[0])' was killed: \(reason)")
    }

    /// The status in the form of waitpid(2); `nil` while the program continues to run.
    private static func wait(
        for pid: pid_t,
        _ words: [String],
        options: Int32
    ) throws(Failure) -> Int32? {
        var status: Int32 = 0
        let ended = uninterrupted { unsafe waitpid(pid, &status, options) }
        guard ended >= 0 else { throw failed(words, errno) }
        return ended == pid ? status : nil
    }

    /// Starts `words` with these standard streams. Returns `nil` if the program does not exist.
    static func spawn(
        _ words: [String],
        _ variables: [String],
        streams: [Int32],
        inOwnGroup: Bool = false
    ) throws(Failure) -> pid_t? {
        var actions = unsafe noActions
        var attributes = unsafe noAttributes
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else {
            throw failed(words, ENOMEM)
        }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        guard unsafe posix_spawnattr_init(&attributes) == 0 else { throw failed(words, ENOMEM) }
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        for (number, descriptor) in streams.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // A child would inherit the signals that this program blocks and ignores.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
                | (inOwnGroup ? Int16(POSIX_SPAWN_SETPGROUP) : 0)
        )
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var variables = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe variables.forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawnp(
            &pid,
            words[0],
            &actions,
            &attributes,
            &arguments,
            &variables
        )
        if code == ENOENT { return nil }
        guard code == 0 else { throw failed(words, code) }
        return pid
    }

    /// The user's variables that programs need, and the setting for English messages.
    package static var usual: [String] {
        [
            "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
            "DBUS_SESSION_BUS_ADDRESS",
        ].compactMap { name in Environment[name].map { "\(name)=\($0)" } } + ["LC_ALL=C"]
    }

    fileprivate static func failed(_ words: [String], _ code: Int32) -> Failure {
        return Failure(
            .inputOutput,
            "cannot run '\(words.joined(separator: " "))': \(reasonOfSystem(code))"
        )
    }

    // Only macOS declares the attributes as a pointer. Therefore the property itself is unsafe.
    #if os(Linux)
    private static var noActions: posix_spawn_file_actions_t {
        unsafe posix_spawn_file_actions_t()
    }
    @unsafe private static var noAttributes: posix_spawnattr_t { posix_spawnattr_t() }
    #else
    private static var noActions: posix_spawn_file_actions_t? { nil }
    private static var noAttributes: posix_spawnattr_t? { nil }
    #endif
}

/// The sole owner of a file without a name, which is deleted when it is closed.
@safe private final class ScratchFile {
    private let file: UnsafeMutablePointer<FILE>

    var descriptor: Int32 { unsafe fileno(file) }

    /// The size in bytes.
    var size: Int {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    init(_ content: [UInt8]) throws(Failure) {
        guard let file = unsafe tmpfile() else {
            throw ChildProgram.failed(["tmpfile"], errno)
        }
        unsafe self.file = unsafe file
        let written = unsafe fwrite(content, 1, content.count, file)
        guard written == content.count, unsafe fflush(file) == 0 else {
            throw ChildProgram.failed(["tmpfile"], errno)
        }
        unsafe rewind(file)
    }

    deinit { unsafe fclose(file) }

    func content() -> [UInt8] {
        unsafe rewind(file)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }
}

extension [UInt8] {
    fileprivate var inOneLine: String {
        String(decoding: self, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map(\.trimmed).filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

extension Substring {
    /// The text without white space at both ends.
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
