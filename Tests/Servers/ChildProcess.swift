import Foundation
import Synchronization

/// A program that runs in the foreground as a child of the test. Its output goes to files.
///
/// The program is killed when this process ends, for any reason.
package final class ChildProcess: Sendable {
    package let pid: Int32

    private struct State {
        var status: ExitStatus?
        var waiting: [CheckedContinuation<ExitStatus, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts `program`. Its output goes to the files `output` and `errors`, which may be the same file.
    package init(
        _ program: Program,
        _ arguments: [String],
        environment: [String: String] = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
        input: String = "/dev/null",
        output: String,
        errors: String
    ) throws(ServerError) {
        let descriptors = [
            try ChildProcess.open(input, O_RDONLY),
            try ChildProcess.open(output, O_WRONLY | O_CREAT | O_APPEND),
            try ChildProcess.open(errors, O_WRONLY | O_CREAT | O_APPEND),
        ]
        defer { for descriptor in descriptors { close(descriptor) } }
        pid = try Spawn.run(
            program.path,
            arguments,
            environment: environment,
            descriptors: descriptors
        )
        do {
            try Guardian.watch(pid)
        } catch {
            kill(pid, SIGKILL)
            throw error
        }
        // waitid blocks, so it runs on its own thread. The thread's reference keeps this object until the
        // child has ended.
        Thread.detachNewThread { [self] in reap() }
    }

    private static func open(_ path: String, _ flags: Int32) throws(ServerError) -> Int32 {
        let descriptor = unsafe Foundation.open(path, flags | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .system("opening \(path)", SystemError.last) }
        return descriptor
    }

    /// Whether the process has ended, by an exit or by a signal.
    package var hasEnded: Bool { state.withLock { $0.status != nil } }

    /// Sends `signal`, unless the child has ended.
    package func send(signal: Int32) {
        state.withLock { if $0.status == nil { kill(pid, signal) } }
    }

    /// Stops all threads of the child and waits until they have stopped. SIGCONT resumes the child.
    ///
    /// SIGSTOP takes effect with a delay: on a busy machine a thread of the child may still answer a query.
    package func pause() {
        send(signal: SIGSTOP)
        var information = unsafe siginfo_t()
        let states = WSTOPPED | WEXITED | WNOWAIT
        while unsafe waitid(P_PID, id_t(pid), &information, states) != 0,
            SystemError.last == EINTR
        {}
    }

    /// Waits until the child ends. After `limit` the child is killed.
    package func end(within limit: Duration = .seconds(60)) async -> ExitStatus {
        let killer = Task {
            try await Task.sleep(for: limit)
            send(signal: SIGKILL)
        }
        defer { killer.cancel() }
        return await withCheckedContinuation { continuation in
            let known = state.withLock { state -> ExitStatus? in
                if state.status == nil { state.waiting.append(continuation) }
                return state.status
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Sends SIGTERM and waits until the child has ended. After a minute the child is killed.
    @discardableResult
    package func stop() async -> ExitStatus {
        send(signal: SIGTERM)
        return await end()
    }

    /// Waits for the child's end. Until waitpid, no other process can get the child's process ID.
    private func reap() {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0,
            SystemError.last == EINTR
        {}
        try? Guardian.forget(pid)
        let (waiting, status) = state.withLock { state in
            var raw: Int32 = 0
            while unsafe waitpid(pid, &raw, 0) < 0, SystemError.last == EINTR {}
            let status = ExitStatus(waitStatus: raw)
            defer { state.waiting = [] }
            state.status = status
            return (state.waiting, status)
        }
        for continuation in waiting { continuation.resume(returning: status) }
    }
}
