import CSockets
import Synchronization

/// A load of this process's own making: threads that do nothing but look at the clock.
package struct BusyThreads: Sendable {
    /// How many there are.
    package let count: Int
    private let spin: Spin

    /// More are no load of another kind.
    private static let most = 256

    /// Starts `wanted` threads, 256 at most, or as many as the system allows. They end after `limit`,
    /// or when they are told to.
    package init(_ wanted: Int, within limit: Duration) {
        let spin = Spin(end: EventLoopClock().now.advanced(by: limit).nanoseconds)
        count = (0..<min(wanted, Self.most)).prefix { _ in spin.startThread() }.count
        self.spin = spin
    }

    /// Has all of them end now.
    package func stop() { spin.isStopped.store(true, ordering: .relaxed) }
}

private final class Spin: Sendable {
    /// Nanoseconds of CLOCK_MONOTONIC.
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
