import CSockets

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The thread that serves; `deinit` stops it and waits until its sockets are closed.
final class ServingThread: Sendable {
    private let stop: Descriptor
    private let thread: cs_lab_thread

    init(_ resolvers: [SimulatedResolver], sockets: [BoundSocket]) throws(SystemError) {
        var ends: (Int32, Int32) = (-1, -1)
        let made = unsafe withUnsafeMutableBytes(of: &ends) {
            unsafe cs_lab_pipe($0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard made == 0 else { throw SystemError(code: -made) }
        let readEnd = try Descriptor(owning: ends.0)
        stop = try Descriptor(owning: ends.1)
        let loop = ServingLoop(resolvers, sockets: sockets, stop: readEnd)
        thread = try Self.start(loop)
    }

    /// Hands the loop over to a new thread, which alone uses it from then on.
    private static func start(_ loop: ServingLoop) throws(SystemError) -> cs_lab_thread {
        let context = unsafe Unmanaged.passRetained(loop)
        var thread = cs_lab_thread()
        let started = unsafe cs_lab_thread_start(
            &thread,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<ServingLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        guard started == 0 else {
            unsafe context.release()
            throw SystemError(code: -started)
        }
        return thread
    }

    deinit {
        // The pipe is empty, so that this octet always fits.
        _ = unsafe write(stop.number, [1], 1)
        cs_lab_thread_join(thread)
    }
}
