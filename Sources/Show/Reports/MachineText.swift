import Samples

/// Words on the machine that measured.
struct MachineText {
    private let machine: Machine

    init(of machine: Machine) { self.machine = machine }

    /// Such as `Linux 6.1.0 on x86_64; 2 cores, load 0.42; clock source tsc, in steps of 1 ns;
    /// virtual (KVM)`; what the system does not tell is left out.
    var sentence: String {
        [system, processors, clock, simulation].compactMap(\.self).joined(separator: "; ")
    }

    var system: String {
        EscapedText.terminal("\(machine.kernel) on \(machine.architecture)")
    }

    var processors: String {
        machine.cores.of("core", "cores") + (machine.load.map { ", load \($0.fixed(2))" } ?? "")
    }

    var clock: String? {
        let source = machine.clockSource.map { "clock source \(EscapedText.terminal($0))" }
        let step = machine.clockStep.map { "in steps of \(Self.step($0))" }
        let parts = [source, step].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    var simulation: String? {
        machine.isVirtual.map { isVirtual in
            guard isVirtual else { return "not virtual" }
            return "virtual" + (machine.hypervisor.map { " (\(EscapedText.terminal($0)))" } ?? "")
        }
    }

    /// A step of a clock, of nanoseconds.
    static func step(_ nanoseconds: Int64) -> String {
        nanoseconds < 1000 ? "\(nanoseconds) ns" : InstrumentLines.microseconds(nanoseconds)
    }

    var json: JSONValue {
        [
            "kernel": .string(machine.kernel),
            "architecture": .string(machine.architecture),
            "cores": .integer(machine.cores),
            "load": machine.load.map { .number($0, least: 1, most: 2) } ?? .null,
            "clock_source": machine.clockSource.map(JSONValue.string) ?? .null,
            "clock_resolution_ns": machine.clockStep.map { .integer(Int($0)) } ?? .null,
            "virtual": machine.isVirtual.map(JSONValue.bool) ?? .null,
            "hypervisor": machine.hypervisor.map(JSONValue.string) ?? .null,
        ]
    }
}
