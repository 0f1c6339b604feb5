/// The machine that an instrument runs on, as far as its system tells; without its name.
package struct Machine: Hashable, Sendable, Codable {
    /// The system and the release of its kernel, such as `Linux 6.1.0-37-amd64`.
    package var kernel: String
    /// Such as `x86_64`.
    package var architecture: String
    /// Processors that this program may use.
    package var cores: Int
    /// How many threads ran or waited to, on average over the last minute.
    package var load: Double?
    /// The hardware that the kernel reads the time from, such as `tsc`.
    package var clockSource: String?
    /// The step of CLOCK_REALTIME, in nanoseconds.
    package var clockStep: Int64?
    /// `nil` where the system does not tell.
    package var isVirtual: Bool?
    /// The hypervisor, or else the machine's maker, where that is told of one that is virtual.
    package var hypervisor: String?

    package init(kernel: String, architecture: String, cores: Int) {
        self.kernel = kernel
        self.architecture = architecture
        self.cores = cores
    }
}

extension Machine {
    /// Takes over what Linux tells of a hypervisor: /proc/cpuinfo, /sys/hypervisor/type and the
    /// maker's and product's names of DMI; `nil` is what cannot be read.
    ///
    /// Processors of x86 have a flag for it, which hypervisors set; others have the names alone.
    package mutating func noteHypervisor(
        cpuinfo: String?,
        type: String?,
        maker: String?,
        product: String?
    ) {
        let flags = cpuinfo?.split(separator: "\n").first { $0.hasPrefix("flags") }
        let hasFlag = flags.map { $0.split(separator: " ").contains("hypervisor") }
        let names = [maker, product].compactMap(\.self)
        let isKnown = names.contains { name in
            Self.hypervisors.contains { name.contains($0) }
        }
        let told = type.map { _ in true } ?? hasFlag
        isVirtual = told ?? (isKnown ? true : names.isEmpty ? nil : false)
        hypervisor = isVirtual == true ? type ?? maker : nil
    }

    /// Words in the names of DMI that no real machine has.
    private static let hypervisors = [
        "QEMU", "KVM", "VMware", "VirtualBox", "innotek", "Xen", "Bochs", "Parallels",
        "Virtual Machine", "Apple Virtualization", "Firecracker",
    ]
}
