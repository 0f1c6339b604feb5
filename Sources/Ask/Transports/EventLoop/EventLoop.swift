import CSockets
import LibC
import Synchronization

/// One thread on which everything that is timed runs: sockets, deadlines, and the Swift tasks that
/// wait for them. It executes tasks as a ``SerialExecutor`` (behind ``EventLoopActor``) and as a
/// ``TaskExecutor`` (for a scheduler that knows nothing of it).
///
/// Nothing else may run here, so that the instrument is never late because of its own output.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Safe because all but `inbox` and `thread` is touched on the loop's own thread alone.

    package static let shared = EventLoop()

    /// Jobs and news from other threads.
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
    /// How often the poller, the timers and the waits have had their turn.
    private(set) var turn: UInt64 = 0
    private var standstill = Standstill()
    /// Waits that go on with the next turn.
    private var unfinished: [WaitToken] = []
    /// The kernel stamps what comes in as long as a socket wants that, and begins some time after
    /// the first does: between the queries it is this one.
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

    /// Lets this process have as many descriptors as its hard limit grants.
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

    /// For how long, in nanoseconds, the process has stood still so far.
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

    /// Takes in all that is ready, so that no deadline is met before what came in time. An interrupted
    /// wait has seen nothing, and one that found as much as it can tell has not seen the rest.
    private func poll(limit: Int64?) {
        var limit = limit
        for _ in 0..<Self.mostPolls {
            if poller.wait(limit: limit, report: { slots.end($0, with: .ready) }) { return }
            limit = 0
        }
    }

    /// Sockets that never stop being ready hold up the timers no longer than this.
    private static let mostPolls = 64

    /// Runs what is ready, and what that makes ready in turn, but not for ever: answers have to be
    /// taken in too while more is sent than the machine can do.
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

    /// Opens a wait that ends at `deadline` (nanoseconds of CLOCK_MONOTONIC; `nil`: never) at the
    /// latest; one that `isPatient` does not count the time in which the process stood still. To be
    /// closed by ``close(_:)``.
    @EventLoopActor
    func open(deadline: Int64?, isPatient: Bool = false) -> WaitToken {
        let token = slots.open()
        if let deadline {
            timers.insert(.init(deadline: deadline, token: token, stood: isPatient ? stood : nil))
        }
        return token
    }

    /// Opens a wait that ends within `limit`, and whenever `socket` becomes ready before that, or more
    /// of it may be read than its budget allowed so far.
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

    /// Opens a wait for `socket` whose slot stays that of the socket: for one exchange after the other,
    /// each of which begins with ``start(_:within:)`` and ends with ``renew(_:)``. To be closed by
    /// ``close(_:of:)``.
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

    /// Has the wait end within `limit`.
    @EventLoopActor
    func start(_ token: WaitToken, within limit: TimeLimit) {
        timers.insert(.init(deadline: limit.deadline, token: token, stood: stood))
    }

    /// Ends a wait and opens the next one for the same socket.
    @EventLoopActor
    func renew(_ token: WaitToken) -> WaitToken { slots.renew(token) }

    /// Whether there is news that nobody waited for.
    @EventLoopActor
    func hasNews(_ token: WaitToken) -> Bool { slots.hasNews(token) }

    @EventLoopActor
    func close(_ token: WaitToken, of socket: borrowing Socket) {
        // Closing is not enough where a program that is just starting has a copy of the descriptor.
        poller.remove(socket.descriptor)
        slots.close(token)
    }

    /// Suspends until the wait has news; at once where it had some since the last time.
    @EventLoopActor
    func next(_ token: WaitToken) async -> Wake {
        await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { unsafe slots.suspend(token, $0) }
        } onCancel: {
            inbox.withLock { $0.cancelled.append(token) }
            poller.wake()
        }
    }

    /// Has the wait end once more at `moment` (nanoseconds of CLOCK_MONOTONIC), as if its descriptor
    /// had become ready; if it is closed by then, nothing happens.
    @EventLoopActor
    func wake(_ token: WaitToken, at moment: Int64) {
        timers.insert(.init(deadline: moment, token: token, wake: .ready))
    }

    /// Has the wait go on as if its descriptor had become ready, once all others have had their turn.
    /// For the loop's own thread.
    func goOnNextTurn(_ token: WaitToken) { unfinished.append(token) }

    @EventLoopActor
    func close(_ token: WaitToken) { slots.close(token) }

    /// Gives a wait the news that it was opened for; `false` if it was closed before.
    @EventLoopActor
    func end(_ token: WaitToken) -> Bool { slots.end(token, with: .ready) }
}

/// Ends the program: without the loop nothing can be measured, and no caller could do otherwise.
private func cannotStart(_ reason: String) -> Never {
    let line = "dnstempo: cannot start the event loop: \(reason)\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
    exit(EX_OSERR)
}

/// Isolation to the event loop's thread: what carries it may touch sockets and waits.
@globalActor
package actor EventLoopActor {
    package static let shared = EventLoopActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe EventLoop.shared.asUnownedSerialExecutor()
    }
}

extension EventLoop {
    /// Runs `operation` as a child of `group` on the event loop, at once up to its first wait where the
    /// system can and the caller is there: the query then leaves without another turn.
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
