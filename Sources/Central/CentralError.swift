/// Why a central store cannot be used: one line that says what to do.
package struct CentralError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault; the exit code is sysexits.h's.
    package enum Kind: Int32, Hashable, Sendable {
        case usage = 64
        /// Data that are not what was shipped, or of a newer version.
        case badData = 65
        /// libpq is not installed.
        case noLibrary = 69
        /// The disk of the server is full, or it takes no writes.
        case cannotWrite = 73
        /// The server is away, too slow, or somebody else holds what is wanted.
        case unavailable = 75
        /// Password, certificate or permission.
        case refused = 78
    }

    package var kind: Kind
    package var description: String
    /// Whether one statement failed, or was too slow, which the rows of one place can cause.
    package private(set) var isOfStatement = false

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

extension CentralError {
    /// The error that the server reported, with its SQLSTATE (PostgreSQL, appendix A).
    static func server(_ state: String, _ message: String, at place: String) -> CentralError {
        let words = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? message
        let reason = words.hasPrefix("ERROR:") ? words.dropFirst(6).drop { $0 == " " } : words[...]
        let (kind, advice): (Kind, String) =
            switch state {
            case "42501", "42P01", "3F000":
                (
                    .refused,
                    "use the role of its owner, or to ship the one that dnstempo store enrol made"
                )
            case "25006": (.cannotWrite, "the server takes no writes: name the primary")
            case let state where state.hasPrefix("53"): (.cannotWrite, "make room at the server")
            case let state where state.hasPrefix("28"): (.refused, "see ~/.pgpass and the role")
            case let state where state.hasPrefix("22") || state.hasPrefix("23"):
                (.badData, "see dnstempo store check")
            default: (.unavailable, "try again later")
            }
        var error = CentralError(kind, "the central store at \(place): \(reason): \(advice)")
        // Appendix A: errors of data, exceeded limits, damaged rows, and the time limit of a statement.
        error.isOfStatement =
            kind == .badData || state == "57014" || state.hasPrefix("54") || state.hasPrefix("XX")
        return error
    }
}
