import Foundation
import Synchronization

/// One small shell that kills the children that outlive this process.
///
/// A process that traps, or is killed, runs no clean-up. But the kernel closes its end of the pipe, which
/// wakes the shell.
final class Guardian: Sendable {
    static let shared = Mutex<Guardian?>(nil)

    /// Adds a child for `+pid` and removes it for `-pid`. At the end of its input, kills the remaining
    /// children.
    private static let script = """
        trap '' INT TERM HUP
        pids=' '
        while read -r change pid; do
            case $change in
            +) pids="$pids$pid " ;;
            -) pids="${pids%% $pid *} ${pids#* $pid }" ;;
            esac
        done
        for pid in $pids; do kill -KILL "$pid"; done
        """

    private let pipe: Int32

    private init() throws(ServerError) {
        var ends: [Int32] = [0, 0]
        guard unsafe Foundation.pipe(&ends) == 0 else {
            throw .system("pipe", SystemError.last)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        pipe = ends[1]
        _ = try Spawn.run(
            "/bin/sh",
            ["-c", Guardian.script],
            environment: [:],
            descriptors: [ends[0], nil, nil]
        )
    }

    static func watch(_ pid: pid_t) throws(ServerError) { try tell("+", pid) }

    static func forget(_ pid: pid_t) throws(ServerError) { try tell("-", pid) }

    private static func tell(_ change: String, _ pid: pid_t) throws(ServerError) {
        let sent = try shared.withLock { guardian throws(ServerError) -> Int in
            let current: Guardian
            if let guardian { current = guardian } else { current = try Guardian() }
            guardian = current
            let line = Array("\(change) \(pid)\n".utf8)
            return unsafe write(current.pipe, line, line.count)
        }
        if sent < 0 { throw .system("write", SystemError.last) }
    }
}
