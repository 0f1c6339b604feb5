import SimulatedKernel

/// The clocks and events of the simulated kernel.
enum Kernel {
    /// Nanoseconds of CLOCK_MONOTONIC.
    static var now: Int64 { simulated_now() }

    /// Lets other processes run until `condition` holds, at most for `limit` nanoseconds. Call it within a
    /// process.
    static func wait(for limit: Int64, until condition: @escaping () -> Bool) {
        let waiting = Shared(condition)
        unsafe simulated_wait(
            { context in
                guard let context = unsafe context else { return 1 }
                let waiting = unsafe Unmanaged<Shared<() -> Bool>>.fromOpaque(context)
                    .takeUnretainedValue()
                return waiting.value() ? 1 : 0
            },
            Unmanaged.passUnretained(waiting).toOpaque(),
            limit
        )
        withExtendedLifetime(waiting) {}
    }

    /// Calls `body` after `delay` nanoseconds.
    static func after(_ delay: Int64, _ body: @escaping () -> Void) {
        unsafe simulated_call(
            now + delay,
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Shared<() -> Void>>.fromOpaque(context).takeRetainedValue().value()
            },
            Unmanaged.passRetained(Shared(body)).toOpaque()
        )
    }

    private static let condition = Shared<() -> Bool> { true }

    /// Runs everything until `condition` holds, at most for `limit` nanoseconds. `condition` is asked after each
    /// job.
    static func run(for limit: Int64, until condition: @escaping () -> Bool) {
        let end = now + limit
        // Otherwise nothing might happen at the limit.
        after(limit) {}
        Self.condition.value = { condition() || now >= end }
        simulated_kernel_run { Kernel.condition.value() ? 1 : 0 }
    }
}

extension Int64 {
    static func milliseconds(_ count: Double) -> Int64 { Int64(count * 1e6) }
}

/// A variable of the whole program. Safe because one thread runs at a time, which the simulated kernel chooses.
final class Shared<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
}

extension Internet {
    /// Makes ``current`` the network of the process.
    static func begin() {
        var network = unsafe simulated_network(
            machine: { Int32(SimulatedProcess.current?.machine ?? -1) },
            process: {
                unsafe SimulatedProcess.current.map {
                    unsafe .init(Unmanaged.passRetained($0).toOpaque())
                }
            },
            act_as: { process, body, context in
                let process = unsafe process.map {
                    unsafe Unmanaged<SimulatedProcess>.fromOpaque($0).takeRetainedValue()
                }
                SimulatedProcess.$current.withValue(process) { unsafe body?(context) }
            },
            is_online: { machine in
                let isAlive = SimulatedProcess.current?.isKilled != true
                return isAlive && Internet.current.machines[Int(machine)].isOnline ? 1 : 0
            },
            address: { Internet.current.machines[Int($0)].address },
            datagram: { socket, machine, address, port, bytes, count in
                let message = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
                Internet.current.datagram(socket, Int(machine), address, port, message)
            },
            connecting: { Internet.current.connecting($0, Int($1), $2, $3) },
            sent: { socket, _, bytes, count in
                let message = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
                Internet.current.sent(socket, message)
            },
            closed: { Internet.current.closed($0) }
        )
        unsafe simulated_kernel_begin(&network)
    }
}
