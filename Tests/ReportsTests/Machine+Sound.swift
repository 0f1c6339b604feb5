import Samples

extension Machine {
    /// A physical machine that is idle and has a precise clock.
    static var sound: Machine {
        var machine = Machine(kernel: "Linux 6.1.0", architecture: "x86_64", cores: 4)
        machine.load = 0.5
        machine.clockSource = "tsc"
        machine.clockStep = 1
        machine.isVirtual = false
        return machine
    }

    func with(_ change: (inout Machine) -> Void) -> Machine {
        var machine = self
        change(&machine)
        return machine
    }
}
