import Samples

/// Words on the machine that measured.
extension Machine {
    /// Such as `Linux 6.1.0 on x86_64; 2 cores, load 0.42; clock source tsc, in steps of 1 ns;
    /// virtual (KVM)`; what the system does not tell is left out.
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

    /// A step of a clock, of nanoseconds.
    static func step(_ nanoseconds: Int64) -> String {
        nanoseconds < 1000 ? "\(nanoseconds) ns" : InstrumentLines.microseconds(nanoseconds)
    }

    var json: JSONValue {
        [
            "kernel": .string(kernel),
            "architecture": .string(architecture),
            "cores": .integer(cores),
            "load": load.map { .number($0, least: 1, most: 2) } ?? .null,
            "clock_source": clockSource.map(JSONValue.string) ?? .null,
            "clock_resolution_ns": clockStep.map { .integer(Int($0)) } ?? .null,
            "virtual": isVirtual.map(JSONValue.bool) ?? .null,
            "hypervisor": hypervisor.map(JSONValue.string) ?? .null,
        ]
    }
}
