import DNSWire
package import Samples

/// Whether a machine can be trusted to measure, according to the instrument's self-check.
package struct InstrumentTrust: Hashable, Sendable {
    /// One reason against trust.
    package enum Fault: Hashable, Sendable {
        /// Too few round trips had both kernel time stamps. The value is their share.
        case unstamped(Double)
        /// The median error of the round trips, in nanoseconds.
        case error(Int64)
        /// The 99th percentile of the error, in nanoseconds, idle or under load.
        case rareError(Int64, isLoaded: Bool)
        /// No response came back while the machine was busy.
        case silent
        /// The 99th percentile of the delay of queries on an idle machine, in nanoseconds.
        case late(Int64)
        /// The step of the clock, in nanoseconds.
        case coarseClock(Int64)
        /// A clock source that a virtual machine cannot read without its host.
        case virtualClock(String)
        /// The amount by which the clock was set during the check, in nanoseconds.
        case clockSet(Int64)
        /// The share of processor time that was in use on the machine, which should be idle.
        case busy(Double)
        /// The share of processor time that the host of a virtual machine took.
        case stolen(Double)

        /// The name of the fault for programs. It never changes.
        package var code: String {
            switch self {
            case .unstamped: "no-kernel-stamps"
            case .error, .rareError: "round-trip-error"
            case .silent: "no-answer-under-load"
            case .late: "late-sends"
            case .coarseClock: "coarse-clock"
            case .virtualClock: "virtual-clock"
            case .clockSet: "clock-step"
            case .busy: "busy-cores"
            case .stolen: "host-steal"
            }
        }
    }

    /// The faults, the most important first; empty if the machine can be trusted.
    package let faults: [Fault]

    package init(of machine: Machine, idle: InstrumentCheck, loaded: InstrumentCheck?) {
        var faults: [Fault] = []
        let stamped = [idle, loaded].compactMap { $0?.share(of: .kernel) }.min() ?? 0
        if stamped < Threshold.stamped { faults.append(.unstamped(stamped)) }
        if let error = InstrumentCheck.median(idle.errors), error > Threshold.error {
            faults.append(.error(error))
        }
        for (check, isLoaded) in [(idle, false), (loaded, true)] {
            guard let error = InstrumentCheck.p99(check?.errors ?? []) else { continue }
            if error > Threshold.rareError { faults.append(.rareError(error, isLoaded: isLoaded)) }
        }
        if loaded == nil { faults.append(.silent) }
        if let late = InstrumentCheck.p99(idle.sendLateness), late > Threshold.late {
            faults.append(.late(late))
        }
        if let step = machine.clockStep, step > Threshold.clockStep {
            faults.append(.coarseClock(step))
        }
        if machine.isVirtual == true, let source = machine.clockSource,
            !Threshold.virtualClocks.contains(source)
        {
            faults.append(.virtualClock(source))
        }
        if let step = idle.clockStep ?? loaded?.clockStep { faults.append(.clockSet(step)) }
        if let use = idle.use, use.busy > Threshold.busy { faults.append(.busy(use.busy)) }
        if let stolen = [idle, loaded].compactMap({ $0?.use?.stolen }).max(),
            stolen > Threshold.stolen
        {
            faults.append(.stolen(stolen))
        }
        self.faults = faults
    }

    /// The limits beyond which a machine is not trusted.
    private enum Threshold {
        /// If one round trip in a hundred is timed by another clock, no quantile in a report changes.
        static let stamped = 0.99
        /// Medians are shown to a tenth of a millisecond.
        static let error: Int64 = 100_000
        /// A fifth of the margin (5 ms) that makes a switch worthwhile. If one error in a hundred has this
        /// size, only p99 changes, and no verdict.
        static let rareError: Int64 = 1_000_000
        /// The limit of a run's warning, which appears if more than one query in a hundred is sent later.
        static let late: Int64 = 5_000_000
        /// Kernel time stamps differ from a packet capture by one or two microseconds. A coarser clock, which
        /// steps with the kernel's tick of 1 to 10 ms, would dominate this error.
        static let clockStep: Int64 = 1_000
        /// Clock sources that a virtual machine reads without its host. A read by the host takes
        /// microseconds, or any time if the host is busy.
        static let virtualClocks: Set<String> = [
            "tsc", "kvm-clock", "xen", "arch_sys_counter", "hyperv_clocksource_tsc_page",
        ]
        /// At this share, a thread that wakes usually finds no idle core.
        static let busy = 0.9
        /// The same limit as for errors, one in a hundred. The time that the host takes also distorts time
        /// stamps.
        static let stolen = 0.01
    }
}
