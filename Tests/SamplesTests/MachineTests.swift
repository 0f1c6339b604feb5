import Samples
import Testing

struct MachineTests {
    private static let flagged = "processor\t: 0\nflags\t\t: fpu sse2 hypervisor lm\n"
    private static let plain = "processor\t: 0\nflags\t\t: fpu sse2 lm\n"
    private static let arm = "processor\t: 0\nFeatures\t: fp asimd\n"

    @Test(arguments: [
        (cpu: flagged, type: nil, maker: "QEMU", product: "Standard PC", says: "QEMU"),
        (cpu: flagged, type: nil, maker: nil, product: nil, says: "virtual"),
        (cpu: flagged, type: "xen", maker: "Xen", product: "HVM domU", says: "xen"),
        (cpu: plain, type: nil, maker: "LENOVO", product: "20XW", says: "real"),
        // A hypervisor may hide its names. Then the CPU flag decides: a real machine never has this flag.
        (cpu: plain, type: nil, maker: nil, product: nil, says: "real"),
        (cpu: arm, type: nil, maker: "QEMU", product: "virt", says: "QEMU"),
        (cpu: arm, type: nil, maker: "Microsoft", product: "Virtual Machine", says: "Microsoft"),
        (cpu: arm, type: nil, maker: "Ampere", product: "Altra", says: "real"),
        (cpu: arm, type: nil, maker: nil, product: nil, says: "unknown"),
        (cpu: nil, type: nil, maker: nil, product: nil, says: "unknown"),
    ])
    func `the flag, the type or the names reveal a hypervisor`(
        cpu: String?,
        type: String?,
        maker: String?,
        product: String?,
        says: String
    ) {
        var machine = Machine(kernel: "Linux", architecture: "", cores: 1)
        machine.noteHypervisor(cpuinfo: cpu, type: type, maker: maker, product: product)
        let word =
            switch machine.isVirtual {
            case true?: machine.hypervisor ?? "virtual"
            case false?: "real"
            case nil: "unknown"
            }
        #expect(word == says)
    }
}
