/// The measurements of the machine: idle, and under a load of `threads` threads.
package struct InstrumentReadings: Hashable, Sendable {
    package var machine: Machine
    package var idle: InstrumentCheck
    /// The check under load; `nil` if the echo returned nothing.
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
