import DNSWire
package import Samples

/// Whether a machine can be trusted to measure, by what its instrument says of itself.
package struct InstrumentTrust: Hashable, Sendable {
    /// One reason not to.
    package enum Fault: Hashable, Sendable {
        /// So small a share of the round trips had both stamps of the kernel.
        case unstamped(Double)
        /// The median error of the round trips, in nanoseconds.
        case error(Int64)
        /// The 99th percentile of it, in nanoseconds, idle or beside a load.
        case rareError(Int64, isLoaded: Bool)
        /// Nothing came back while the machine was busy.
        case silent
        /// The 99th percentile of how late queries left an idle machine, in nanoseconds.
        case late(Int64)
        /// The step of the clock, in nanoseconds.
        case coarseClock(Int64)
        /// The clock of a virtual machine that leaves it to the host.
        case virtualClock(String)
        /// How far the clock was set meanwhile, in nanoseconds.
        case clockSet(Int64)
        /// The share of the processor time that was in use where the machine was to be idle.
        case busy(Double)
        /// The share of the processor time that the host of a virtual machine took.
        case stolen(Double)

        /// Its name for programs; never changes.
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

    /// The most important first; none of a machine that can be trusted.
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

    /// From where on a machine is not to be trusted.
    private enum Threshold {
        /// One round trip in a hundred by another clock changes no quantile that a report shows.
        static let stamped = 0.99
        /// Medians are shown to a tenth of a millisecond.
        static let error: Int64 = 100_000
        /// A fifth of the margin (5 ms) that makes a switch worth it: one error in a hundred of this
        /// size moves no verdict, but p99.
        static let rareError: Int64 = 1_000_000
        /// As the warning of a run has it, where more than one query in a hundred leaves later.
        static let late: Int64 = 5_000_000
        /// The error of stamps by the kernel is a microsecond or two against a packet capture: a
        /// coarser clock, which steps with the kernel's tick of 1 to 10 ms, is the error itself.
        static let clockStep: Int64 = 1_000
        /// Sources that a virtual machine reads without leaving it to its host, which takes
        /// microseconds or, where the host is busy, any time.
        static let virtualClocks: Set<String> = [
            "tsc", "kvm-clock", "xen", "arch_sys_counter", "hyperv_clocksource_tsc_page",
        ]
        /// A thread that wakes finds no idle core, as a rule.
        static let busy = 0.9
        /// As of errors, one in a hundred is too much: what the host takes, it takes from stamps too.
        static let stolen = 0.01
    }
}
