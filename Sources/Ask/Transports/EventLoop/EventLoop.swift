import CSockets
import LibC
import Synchronization

/// The thread that runs all timed work: sockets, deadlines, and the Swift tasks that
/// wait for them. It executes tasks as a ``SerialExecutor`` (of ``EventLoopActor``) and as a
/// ``TaskExecutor`` (for a scheduler that does not depend on it).
///
/// No other work may run here, so that output never delays the measurement.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Safe because only the loop's own thread accesses the state other than `inbox` and `thread`.

    package static let shared = EventLoop()

    /// Jobs and events from other threads.
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var cancelled: [WaitToken] = []
    }

    private let inbox = Mutex(Inbox())
    private let thread = Atomic<UInt>(0)
    private var poller: Poller
    private var ready: [UnownedJob] = []
    private var running: [UnownedJob] = []
    private var timers = TimerHeap()
    private var slots = WaitSlots()
    /// The number of turns of the poller, the timers and the waits.
    private(set) var turn: UInt64 = 0
    private var standstill = Standstill()
    /// Waits that continue in the next turn.
    private var unfinished: [WaitToken] = []
    /// The kernel stamps incoming packets as long as any socket requests it, and starts with a delay. This
    /// socket keeps stamping enabled between the queries.
    private let stampKeeper = try? Socket(.datagram, family: AF_INET)

    private init() {
        do {
            poller = try Poller()
        } catch {
            cannotStart("\(error)")
        }
        Self.raiseDescriptorLimit()
        stampKeeper?.enableStamps()
        start()
    }

    private func start() {
        var thread: UInt = 0
        let code = unsafe cs_start_thread(
            &thread,
            { loop in
                guard let loop = unsafe loop else { return nil }
                unsafe Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue().run()
                return nil
            },
            Unmanaged.passRetained(self).toOpaque()
        )
        guard code == 0 else { cannotStart("\(SystemError("pthread_create", code: code))") }
    }

    /// Raises this process's limit of descriptors to its hard limit.
    package static func raiseDescriptorLimit() { _ = cs_raise_descriptor_limit() }

    // MARK: Executing

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            ready.append(job)
        } else {
            inbox.withLock { $0.jobs.append(job) }
            poller.wake()
        }
    }

    package func checkIsolated() { precondition(isCurrent, "not on the event loop's thread") }

    /// The total time, in nanoseconds, for which the process has been suspended.
    var stood: Int64 { standstill.total }
    private var isCurrent: Bool { thread.load(ordering: .relaxed) == cs_this_thread() }

    fileprivate func run() {
        thread.store(cs_this_thread(), ordering: .relaxed)
        unsafe cs_wake_on_time("instrument")
        var now = cs_monotonic()
        while true {
            runJobs()
            let began = cs_monotonic()
            standstill.note(jobsFrom: now, to: began)
            let isIdle = ready.isEmpty && unfinished.isEmpty
            let due = timers.earliest.map { max(began, $0) }
            poll(limit: isIdle ? due.map { $0 - began } : 0)
            takeInbox()
            now = cs_monotonic()
            standstill.note(waitFrom: began, to: now, due: isIdle ? due : began)
            while let due = timers.removeDue(at: now, stood: stood) {
                slots.end(due.token, with: due.wake)
            }
            turn += 1
            for token in unfinished { slots.end(token, with: .ready) }
            unfinished.removeAll(keepingCapacity: true)
        }
    }

    /// Reads all ready events, so that no deadline precedes data that arrived in time. It polls again after
    /// an interrupted wait, and after a wait that returned the maximum number of events.
    private func poll(limit: Int64?) {
        var limit = limit
        for _ in 0..<Self.mostPolls {
            if poller.wait(limit: limit, report: { slots.end($0, with: .ready) }) { return }
            limit = 0
        }
    }

    /// The maximum number of polls in one turn. Sockets that are always ready delay the timers no longer.
    private static let mostPolls = 64

    /// Runs the ready jobs and the jobs that they make ready, up to a limit. Without the limit, an overloaded
    /// machine would send queries and never read answers.
    private func runJobs() {
        let serial = unsafe asUnownedSerialExecutor()
        let task = unsafe asUnownedTaskExecutor()
        var ran = 0
        while !ready.isEmpty, ran < Self.longestBatch {
            swap(&ready, &running)
            for job in running {
                unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: task)
            }
            ran += running.count
            running.removeAll(keepingCapacity: true)
        }
    }

    private static let longestBatch = 64

    private func takeInbox() {
        let cancelled = inbox.withLock { inbox in
            ready.append(contentsOf: inbox.jobs)
            inbox.jobs.removeAll(keepingCapacity: true)
            defer { inbox.cancelled.removeAll(keepingCapacity: true) }
            return inbox.cancelled
        }
        for token in cancelled { slots.end(token, with: .cancelled) }
    }

    // MARK: Waiting

    /// Opens a wait that ends at `deadline` at the latest (nanoseconds of CLOCK_MONOTONIC; `nil`: never).
    /// With `isPatient`, the time in which the process was suspended does not count. Close the wait with
    /// ``close(_:)``.
    @EventLoopActor
    func open(deadline: Int64?, isPatient: Bool = false) -> WaitToken {
        let token = slots.open()
        if let deadline {
            timers.insert(.init(deadline: deadline, token: token, stood: isPatient ? stood : nil))
        }
        return token
    }

    /// Opens a wait that ends within `limit`. It also ends whenever `socket` becomes ready, or when the
    /// socket's budget allows more reading.
    @EventLoopActor
    func open(
        _ socket: borrowing Socket,
        within limit: TimeLimit?,
        writable: Bool = false
    ) throws(SystemError) -> WaitToken {
        let token = open(deadline: limit?.deadline, isPatient: true)
        socket.budget.wait = token
        do {
            try poller.add(socket.descriptor, token: token, writable: writable)
        } catch {
            slots.close(token)
            throw error
        }
        return token
    }

    /// Opens a wait for `socket` that keeps its slot for consecutive exchanges. Each exchange starts with
    /// ``start(_:within:)`` and ends with ``renew(_:)``. Close the wait with ``close(_:of:)``.
    @EventLoopActor
    func open(keeping socket: borrowing Socket) throws(SystemError) -> WaitToken {
        let token = slots.open()
        do {
            try poller.add(socket.descriptor, token: token.ofAnyGeneration, writable: false)
        } catch {
            slots.close(token)
            throw error
        }
        return token
    }

    /// Makes the wait end within `limit`.
    @EventLoopActor
    func start(_ token: WaitToken, within limit: TimeLimit) {
        timers.insert(.init(deadline: limit.deadline, token: token, stood: stood))
    }

    /// Ends a wait and opens the next one for the same socket.
    @EventLoopActor
    func renew(_ token: WaitToken) -> WaitToken { slots.renew(token) }

    /// Whether an event has occurred that no task has received.
    @EventLoopActor
    func hasNews(_ token: WaitToken) -> Bool { slots.hasNews(token) }

    @EventLoopActor
    func close(_ token: WaitToken, of socket: borrowing Socket) {
        // Closing alone is not enough: a child process that is just starting may have a copy of the descriptor.
        poller.remove(socket.descriptor)
        slots.close(token)
    }

    /// Suspends until the wait has an event. Returns at once if an event occurred since the last call.
    @EventLoopActor
    func next(_ token: WaitToken) async -> Wake {
        await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { unsafe slots.suspend(token, $0) }
        } onCancel: {
            inbox.withLock { $0.cancelled.append(token) }
            poller.wake()
        }
    }

    /// Ends the wait once more at `moment` (nanoseconds of CLOCK_MONOTONIC), as if its descriptor had become
    /// ready. Has no effect on a wait that is closed by then.
    @EventLoopActor
    func wake(_ token: WaitToken, at moment: Int64) {
        timers.insert(.init(deadline: moment, token: token, wake: .ready))
    }

    /// Resumes the wait in the next turn, after all other waits, as if its descriptor had become ready. Call
    /// it only on the loop's own thread.
    func goOnNextTurn(_ token: WaitToken) { unfinished.append(token) }

    @EventLoopActor
    func close(_ token: WaitToken) { slots.close(token) }

    /// Reports the event that the wait was opened for. Returns `false` if the wait was closed before.
    @EventLoopActor
    func end(_ token: WaitToken) -> Bool { slots.end(token, with: .ready) }
}

/// Ends the program. Measurements are impossible without the loop, and no caller can handle this error.
private func cannotStart(_ reason: String) -> Never {
    let line = "dnstempo: cannot start the event loop: \(reason)\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
    exit(EX_OSERR)
}

/// Isolation to the event loop's thread. Isolated code may access sockets and waits.
@globalActor
package actor EventLoopActor {
    package static let shared = EventLoopActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe EventLoop.shared.asUnownedSerialExecutor()
    }
}

extension EventLoop {
    /// Runs `operation` as a child of `group` on the event loop. If the system supports it and the caller is
    /// on the loop, the operation runs at once up to its first wait. The query then leaves in the current
    /// turn.
    package static func start(
        in group: inout DiscardingTaskGroup,
        _ operation: @escaping @Sendable () async -> Void
    ) {
        let onLoop: @EventLoopActor @Sendable () async -> Void = { await operation() }
        if #available(macOS 26.0, *) {
            group.addImmediateTask(operation: onLoop)
        } else {
            group.addTask(operation: onLoop)
        }
    }
}
