import Foundation

/// The file for the input that ended the program.
enum CrashFile {
    // Safe because one thread uses them, and the signal handler ends the program.
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?
    nonisolated(unsafe) private static var input = unsafe UnsafeRawBufferPointer(
        start: nil,
        count: 0
    )

    /// Installs signal handlers that write the input of a crash to `file`.
    static func keep(_ file: String) {
        unsafe path = strdup(file)
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
            Foundation.signal(signal) { number in
                CrashFile.writeInput()
                _exit(128 + number)
            }
        }
    }

    /// Runs `body` with these bytes as its input. If it crashes, the handler writes them to the file.
    static func lending<R>(_ octets: [UInt8], _ body: () -> R) -> R {
        unsafe octets.withUnsafeBytes { bytes in
            unsafe input = bytes
            return body()
        }
    }

    static func write(_ octets: [UInt8]) {
        lending(octets) { writeInput() }
    }

    private static func writeInput() {
        guard let path = unsafe path else { return }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = unsafe Foundation.write(descriptor, input.baseAddress, input.count)
    }
}
