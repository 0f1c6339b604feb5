/// The exit statuses of the program: 1, the codes of sysexits.h, and 128 + SIGINT.
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
    /// The condition of `--fail-if` holds, or a check found something.
    case condition = 1
    /// An argument cannot be used: an option, a resolver, an address, a duration.
    case usage = 64
    /// A file or store contains something unusable, is damaged, or is of a newer version.
    case badData = 65
    /// An input does not exist or cannot be read.
    case noInput = 66
    /// No resolver answers, or a library is not installed.
    case unavailable = 69
    /// The system grants fewer resources than the program needs.
    case system = 71
    /// A file, folder or database cannot be created or written.
    case cannotCreate = 73
    /// The disk is full, or a device fails.
    case inputOutput = 74
    /// A server is unreachable or too slow, or another process holds a lock: the same command may succeed
    /// later.
    case busy = 75
    /// A configuration cannot be used, or a server refuses password, certificate or permission.
    case configuration = 78
    case interrupted = 130

    /// The meaning for a user: one sentence.
    package var meaning: String {
        switch self {
        case .condition:
            "A condition of `--fail-if` holds, or `report --recompute` found a difference."
        case .usage: "The command line is wrong."
        case .badData: "A file or a store has unusable data."
        case .noInput: "An input does not exist, cannot be read, or has no usable round."
        case .unavailable:
            "No resolver answered or is trusted, port 53 is intercepted, or a library is missing."
        case .system:
            "The system grants too few open files or threads, or too little memory or stack."
        case .cannotCreate: "An output cannot be created or written."
        case .inputOutput: "Input or output failed, such as on a full disk."
        case .busy:
            "Another process holds a lock, a server is away, or a part was not checked: try again later."
        case .configuration: "The configuration or a campaign is wrong, or a server refuses access."
        case .interrupted:
            "Interrupted by SIGINT, SIGTERM or SIGHUP, after saving all measurements."
        }
    }
}

/// An error that ends the program: `description` is one line that says what to do.
package protocol ExitStatusError: Error, CustomStringConvertible {
    var status: ExitStatus { get }
}
