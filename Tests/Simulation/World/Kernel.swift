import SimulatedKernel

/// The clocks and events of the simulated kernel.
enum Kernel {
    /// An action of a history. It has no effect in a later one.
    private final class Action {
        private let history = Internet.current
        private let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }

        func happen() { if history === Internet.current { body() } }
    }

    /// Nanoseconds of CLOCK_MONOTONIC.
    static var now: Int64 { simulated_now() }

    /// Calls `body` after `delay` nanoseconds.
    static func after(_ delay: Int64, _ body: @escaping () -> Void) {
        unsafe simulated_call(
            now + delay,
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Action>.fromOpaque(context).takeRetainedValue().happen()
            },
            Unmanaged.passRetained(Action(body)).toOpaque()
        )
    }

    private static let condition = Shared<() -> Bool> { true }

    /// Runs everything until `condition` holds. Returns false if nothing is left that can happen.
    static func run(until condition: @escaping () -> Bool) -> Bool {
        Self.condition.value = condition
        return simulated_kernel_run { Kernel.condition.value() ? 1 : 0 } != 0
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
