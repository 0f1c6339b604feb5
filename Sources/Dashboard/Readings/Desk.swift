import Dispatch

/// Where documents are made, one after the other on a thread of its own: reading and computing hold
/// up neither the connections nor the rounds that are measured meanwhile.
actor Desk {
    private nonisolated let executor = DeskExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try body()
    }
}

private final class DeskExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "dnstempo.dashboard", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
