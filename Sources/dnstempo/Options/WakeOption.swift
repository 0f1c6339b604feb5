import ArgumentParser
import Processes

/// Whether the machine stays awake during the run.
struct WakeOption: ParsableArguments {
    @Flag(help: "Let this machine suspend itself during the run.".forExperts)
    var noInhibit = false

    /// The lock that keeps the machine awake until its release; `nil` without one.
    func lock() -> WakeLock? {
        noInhibit ? nil : WakeLock("measures DNS resolvers")
    }
}
