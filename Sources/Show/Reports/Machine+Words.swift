import Samples

/// The description of the measuring machine in words.
extension Machine {
    /// A text such as `Linux 6.1.0 on x86_64; 2 cores, load 0.42; clock source tsc, in steps of 1
    /// ns; virtual (KVM)`. Parts that the system does not report are omitted.
    var sentence: String {
        let processors = cores.of("core", "cores") + (load.map { ", load \($0.fixed(2))" } ?? "")
        let source = clockSource.map { "clock source \(EscapedText.terminal($0))" }
        let step = clockStep.map { "in steps of \(Self.step($0))" }
        let clock = [source, step].compactMap(\.self).joined(separator: ", ")
        let simulation = isVirtual.map { isVirtual in
            guard isVirtual else { return "not virtual" }
            return "virtual" + (hypervisor.map { " (\(EscapedText.terminal($0)))" } ?? "")
        }
        let system = EscapedText.terminal("\(kernel) on \(architecture)")
        return [system, processors, clock, simulation ?? ""].filter { !$0.isEmpty }
            .joined(separator: "; ")
    }

    /// The step of a clock, given in nanoseconds, with its unit.
    static func step(_ nanoseconds: Int64) -> String {
        nanoseconds < 1000 ? "\(nanoseconds) ns" : InstrumentLines.microseconds(nanoseconds)
    }

    private static let isSilent = "the system does not say"

    static let shape = Shape<Machine>(
        "machine",
        [
            .text("kernel", "Name and release of the kernel.") { $0.kernel },
            .text("architecture", "Architecture of the processor.") { $0.architecture },
            .count("cores", "Processors that dnstempo may use.") { $0.cores },
            .number("load", digits: 1...2, null: isSilent, "Load average of one minute.") {
                $0.load
            },
            .text("clock_source", null: isSilent, "Clock source of the kernel.") { $0.clockSource },
            Field(
                "clock_resolution_ns",
                .count,
                unit: .nanoseconds,
                null: isSilent,
                "Resolution of the clock."
            ) { $0.clockStep.map { .integer(Int($0)) } ?? .null },
            .flag("virtual", null: isSilent, "Whether this is a virtual machine.") { $0.isVirtual },
            .text("hypervisor", null: "unknown or none", "Name of the hypervisor.") {
                $0.hypervisor
            },
        ]
    )
}
