/// Why the program cannot do what was asked: one line, and the exit code that scripts rely on
/// (sysexits.h).
struct Failure: Error, CustomStringConvertible {
    enum Kind: Int32 {
        /// An asked-for condition holds.
        case condition = 1
        case usage = 64
        case badData = 65
        case noInput = 66
        case noResolver = 69
        /// The system grants too little to begin with.
        case system = 71
        case cannotCreate = 73
        case inputOutput = 74
        /// Another process is at it.
        case busy = 75
        case configuration = 78
        case interrupted = 130
    }

    var kind: Kind
    /// One line that says what is wrong and what to do; empty where all was said already.
    var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
