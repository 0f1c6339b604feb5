import CSockets
import Synchronization

/// An artificial load: threads of this process that only read the clock.
package struct BusyThreads: Sendable {
    /// The number of threads.
    package let count: Int
    private let spin: Spin

    /// The maximum number of threads. More threads would not be another kind of load.
    private static let most = 256

    /// Starts `wanted` threads, at most 256, or as many as the system allows. The threads end after `limit`
    /// or after ``stop()``.
    package init(_ wanted: Int, within limit: Duration) {
        let spin = Spin(end: EventLoopClock().now.advanced(by: limit).nanoseconds)
        count = (0..<min(wanted, Self.most)).prefix { _ in spin.startThread() }.count
        self.spin = spin
    }

    /// Ends all threads now.
    package func stop() { spin.isStopped.store(true, ordering: .relaxed) }
}

private final class Spin: Sendable {
    /// The end of the load, in nanoseconds of CLOCK_MONOTONIC.
    let end: Int64
    let isStopped = Atomic(false)

    init(end: Int64) { self.end = end }

    func startThread() -> Bool {
        let context = unsafe Unmanaged.passRetained(self)
        var thread: UInt = 0
        let code = unsafe cs_start_thread(
            &thread,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Spin>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        if code != 0 { unsafe context.release() }
        return code == 0
    }

    private func run() {
        while cs_monotonic() < end, !isStopped.load(ordering: .relaxed) {}
    }
}
