import LibC
import Synchronization

/// Keeps this machine from suspending itself.
///
/// A program of the system holds the lock until its standard input ends. The input also ends if this program is
/// killed. Without such a program, or if the system refuses the lock, nothing happens: a suspension is detected
/// during each round anyway.
package final class WakeLock: Sendable {
    private let input = StopDescriptor()
    private let holder: Mutex<pid_t?>

    /// Takes the lock. `purpose` is shown to users who ask why the machine stays awake.
    package init(_ purpose: String) {
        #if os(macOS)
        let words = ["caffeinate", "-i", "cat"]
        #else
        // The program of logind.
        let words = [
            "systemd-inhibit", "--what=sleep:idle", "--who=dnstempo", "--why=\(purpose)",
            "--mode=block", "cat",
        ]
        #endif
        let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { if null >= 0 { close(null) } }
        let streams = [input.descriptor, null, null]
        guard streams.allSatisfy({ $0 >= 0 }) else {
            holder = Mutex(nil)
            return
        }
        holder = Mutex(
            (try? ChildProgram.spawn(words, ChildProgram.usual, streams: streams)) ?? nil
        )
    }

    /// Ends the lock.
    package func release() {
        let pid = holder.withLock { holder in
            defer { holder = nil }
            return holder
        }
        input.hangUp()
        guard let pid else { return }
        // The program may still wait for the system, and then does not read its input.
        kill(pid, SIGTERM)
        var status: Int32 = 0
        _ = uninterrupted { unsafe waitpid(pid, &status, 0) }
    }

    deinit { release() }
}
