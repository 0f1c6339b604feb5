import Analysis
import Samples

extension InstrumentTrust.Fault {
    /// The fault in a few words, for a headline.
    var name: String {
        switch self {
        case .unstamped: "no kernel time stamps"
        case .error, .rareError: "large errors"
        case .silent: "no answers under load"
        case .late: "late queries"
        case .coarseClock: "a coarse clock"
        case .virtualClock: "a slow virtual clock"
        case .clockSet: "its clock was set"
        case .busy: "busy cores"
        case .stolen: "its host takes processor time"
        }
    }

    /// The fault in words, with the remedy.
    var sentence: String {
        switch self {
        case .unstamped(let share):
            "Only \((share * 100).fixed(1)) % of the round trips have both time stamps of the kernel, "
                + "the others include this machine's delays: measure on a kernel that stamps packets."
        case .error(let error):
            "The median error of a round trip is \(InstrumentLines.microseconds(error)), more than the "
                + "0.1 ms that reports show: measure on another machine."
        case .rareError(let error, let isLoaded):
            "One round trip in 100 is off by \(InstrumentLines.microseconds(error)) or more"
                + (isLoaded
                    ? " under load: measure while nothing else runs."
                    : ": stop other programs, then repeat this.")
        case .silent:
            "Under load no query to this machine itself was answered: measure while nothing else runs."
        case .late(let late):
            "One query in 100 leaves \(InstrumentLines.microseconds(late)) or more after its plan: stop "
                + "other programs, then repeat this."
        case .coarseClock(let step):
            "The clock advances in steps of \(Machine.step(step)): choose another clock source for "
                + "the kernel, such as clocksource=tsc."
        case .virtualClock(let source):
            "The clock source of this virtual machine, \(EscapedText.terminal(source)), leaves each "
                + "reading to the host: choose tsc or kvm-clock, or measure on a real machine."
        case .clockSet(let step):
            "The system clock was set by \(InstrumentLines.microseconds(step)) during the check: let it settle, "
                + "then repeat this."
        case .busy(let share):
            "\(InstrumentLines.percent(share)) of the processor time was in use before there was a load "
                + "of its own: stop other programs, then repeat this."
        case .stolen(let share):
            "The host of this virtual machine took \(InstrumentLines.percent(share)) of the processor "
                + "time: measure where it is less busy, or on a real machine."
        }
    }
}
