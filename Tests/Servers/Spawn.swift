import Foundation
import Synchronization

/// Starts programs that inherit only the three standard descriptors.
enum Spawn {
    /// The lock that is held while a child starts. Until the child runs its program, it has a copy of each
    /// open descriptor.
    static let births = Mutex(())

    /// Starts `path` and returns its process ID. A `nil` descriptor means `/dev/null`.
    static func run(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        descriptors: [Int32?]
    ) throws(ServerError) -> pid_t {
        var actions = unsafe noActions
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else {
            throw ServerError("posix_spawn_file_actions_init failed: out of memory")
        }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            if let descriptor {
                unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            } else {
                unsafe posix_spawn_file_actions_addopen(
                    &actions,
                    Int32(number),
                    "/dev/null",
                    O_RDWR,
                    0
                )
            }
        }
        for descriptor in inheritable {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }

        return unsafe try spawn(path, [path] + arguments, environment, &actions)
    }

    #if os(Linux)
    private typealias Actions = posix_spawn_file_actions_t
    private static var noActions: Actions { unsafe Actions() }
    private static var noAttributes: posix_spawnattr_t { posix_spawnattr_t() }
    #else
    private typealias Actions = posix_spawn_file_actions_t?
    private static var noActions: Actions { nil }
    private static var noAttributes: posix_spawnattr_t? { nil }
    #endif

    private static func spawn(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String],
        _ actions: inout Actions
    ) throws(ServerError) -> pid_t {
        var attributes = noAttributes
        guard unsafe posix_spawnattr_init(&attributes) == 0 else {
            throw ServerError("posix_spawnattr_init failed: out of memory")
        }
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Swift's worker threads block signals, including SIGTERM. A child would inherit this.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = environment.map { "\($0.key)=\($0.value)" }
        return unsafe try withCStrings(arguments) { argv throws(ServerError) in
            unsafe try withCStrings(variables) { envp throws(ServerError) in
                var pid: pid_t = 0
                let code = births.withLock { _ in
                    unsafe posix_spawn(&pid, path, &actions, &attributes, argv, envp)
                }
                if code != 0 { throw .system("starting \(path)", code) }
                return pid
            }
        }
    }

    /// This process's descriptors above 2 that a child would inherit. Each child closes them.
    private static var inheritable: [Int32] {
        #if os(Linux)
        let folder = "/proc/self/fd"
        #else
        let folder = "/dev/fd"
        #endif
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { Int32($0) }.filter { descriptor in
            guard descriptor > 2 else { return false }
            let flags = fcntl(descriptor, F_GETFD)
            return flags >= 0 && flags & FD_CLOEXEC == 0
        }
    }

    /// Calls `body` with a C array of C strings, which ends with a null pointer.
    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws(ServerError) -> Result
    ) throws(ServerError) -> Result {
        var copies = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe try body(&copies)
    }
}
