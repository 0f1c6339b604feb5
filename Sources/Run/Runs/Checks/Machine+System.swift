package import Catalogue
import Files
import LibC
import Processes
import Samples

extension Machine {
    /// This machine's current state, from a few small system files.
    static var current: Machine {
        var names = utsname()
        unsafe uname(&names)
        let system = unsafe withUnsafeBytes(of: &names.sysname) { unsafe text($0) }
        let release = unsafe withUnsafeBytes(of: &names.release) { unsafe text($0) }
        var machine = Machine(
            kernel: "\(system) \(release)",
            architecture: unsafe withUnsafeBytes(of: &names.machine) { unsafe text($0) },
            cores: max(1, Processors.usable?.count ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        )
        var load = 0.0
        if unsafe getloadavg(&load, 1) == 1 { machine.load = load }
        var step = timespec()
        if unsafe clock_getres(CLOCK_REALTIME, &step) == 0 {
            machine.clockStep = Int64(step.tv_sec) * 1_000_000_000 + Int64(step.tv_nsec)
        }
        machine.noteHypervisor()
        return machine
    }

    private mutating func noteHypervisor() {
        #if canImport(Darwin)
        var (value, size): (Int32, Int) = (0, MemoryLayout<Int32>.size)
        if unsafe sysctlbyname("kern.hv_vmm_present", &value, &size, nil, 0) == 0 {
            isVirtual = value != 0
        }
        #else
        clockSource = Self.line("/sys/devices/system/clocksource/clocksource0/current_clocksource")
        noteHypervisor(
            cpuinfo: InputFile.text(ofSystem: "/proc/cpuinfo"),
            type: Self.line("/sys/hypervisor/type"),
            maker: Self.line("/sys/class/dmi/id/sys_vendor"),
            product: Self.line("/sys/class/dmi/id/product_name")
        )
        #endif
    }

    /// The first line of a system file, at most 40 characters; `nil` if the file does not exist.
    private static func line(_ path: String) -> String? {
        let line = InputFile.text(ofSystem: path)?.prefix { $0 != "\n" }.prefix(40) ?? ""
        return line.isEmpty ? nil : String(line)
    }

    private static func text(_ buffer: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: buffer.prefix { $0 != 0 }.prefix(64), as: UTF8.self)
    }
}

/// The processors that this program may use. The machine may have more (taskset(1)).
enum Processors {
    /// The numbers of the processors; `nil` if the system does not report them.
    static var usable: Set<Int>? {
        let numbers = InputFile.text(ofSystem: "/proc/self/status")
            .map(ProcessorTimes.processors)
        return numbers?.isEmpty == true ? nil : numbers
    }

    /// The time that the processors have spent until now; `nil` if the system does not report it.
    static var times: ProcessorTimes? {
        guard let usable, let stat = InputFile.text(ofSystem: "/proc/stat") else { return nil }
        return ProcessorTimes(stat: stat, processors: usable)
    }
}

extension ResolverSetup {
    /// The configuration of this machine's nameservers.
    package static var ofThisMachine: Self {
        Self(SystemResolvers(), vantage: Environment.hostName)
    }
}
