/// The machine that an instrument runs on, as its system reports it. It does not include the machine's name.
package struct Machine: Hashable, Sendable, Codable {
    /// The system and the release of its kernel, such as `Linux 6.1.0-37-amd64`.
    package var kernel: String
    /// The processor architecture, such as `x86_64`.
    package var architecture: String
    /// The number of processors that this program may use.
    package var cores: Int
    /// The average number of running or waiting threads over the last minute.
    package var load: Double?
    /// The kernel's clock source, such as `tsc`.
    package var clockSource: String?
    /// The resolution of CLOCK_REALTIME, in nanoseconds.
    package var clockStep: Int64?
    /// Whether the machine is virtual; `nil` if the system does not report it.
    package var isVirtual: Bool?
    /// The hypervisor of a virtual machine, or otherwise the machine's manufacturer, if it is known.
    package var hypervisor: String?

    package init(kernel: String, architecture: String, cores: Int) {
        self.kernel = kernel
        self.architecture = architecture
        self.cores = cores
    }
}

extension Machine {
    /// Detects a hypervisor from Linux's files: /proc/cpuinfo, /sys/hypervisor/type and the manufacturer's
    /// and product's names of DMI. `nil` means that a file cannot be read.
    ///
    /// On x86, hypervisors set a processor flag. On other processors, only the names are available.
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

    /// Words in DMI names that occur only in virtual machines.
    private static let hypervisors = [
        "QEMU", "KVM", "VMware", "VirtualBox", "innotek", "Xen", "Bochs", "Parallels",
        "Virtual Machine", "Apple Virtualization", "Firecracker",
    ]
}
