/// The measurements of the machine: idle, and beside a load of so many threads.
package struct InstrumentReadings: Hashable, Sendable {
    package var machine: Machine
    package var idle: InstrumentCheck
    /// `nil` where nothing came back.
    package var loaded: InstrumentCheck?
    package var threads: Int

    package init(
        machine: Machine,
        idle: InstrumentCheck,
        loaded: InstrumentCheck?,
        threads: Int
    ) {
        self.machine = machine
        self.idle = idle
        self.loaded = loaded
        self.threads = threads
    }
}
