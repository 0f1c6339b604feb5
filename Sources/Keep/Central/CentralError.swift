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
    /// The server's SQLSTATE; `nil` where the error is not the server's.
    package var state: String?
    /// Whether one statement failed, or was too slow, which the rows of one place can cause.
    package private(set) var isOfStatement = false

    package init(_ kind: Kind, _ description: String, state: String? = nil) {
        self.kind = kind
        self.description = description
        self.state = state
    }

    /// The SQLSTATE of a lock that was not granted in time.
    static let lockTimeout = "55P03"
    /// The SQLSTATE of a row that a constraint rejects.
    static let isRejected = "23514"
    /// The SQLSTATE of a row that is there already, as the name of a schema.
    static let isThere = "23505"
}

extension CentralError {
    static func enrolled(_ vantage: String, as source: Int64) -> CentralError {
        CentralError(
            .usage,
            "'\(vantage)' is enrolled already, as place \(source): choose another name, or add --again if "
                + "its store was put back"
        )
    }

    static func late(at place: String) -> CentralError {
        CentralError(
            .unavailable,
            "the central store at \(place) did not answer in time: try again later"
        )
    }

    static func stopped(at place: String) -> CentralError {
        CentralError(
            .unavailable,
            "the work at the central store at \(place) was ended: run it again"
        )
    }

    static func tooMuch(_ octets: Int, at place: String) -> CentralError {
        CentralError(
            .unavailable,
            "the central store at \(place) sent more than \(octets >> 20) MB: shorten the span, or see "
                + "what answers there"
        )
    }

    static func unasked(at place: String) -> CentralError {
        CentralError(
            .badData,
            "the central store at \(place) gave an answer that no statement asked for: see what answers "
                + "there"
        )
    }

    /// The error that the server reported, with its SQLSTATE (PostgreSQL, appendix A).
    static func server(_ state: String, _ message: String, at place: String) -> CentralError {
        let words = message.shortLine
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
        var error = CentralError(
            kind,
            "the central store at \(place): \(reason): \(advice)",
            state: state
        )
        // Appendix A: errors of data, exceeded limits, damaged rows, and the time limit of a statement.
        error.isOfStatement =
            kind == .badData || state == "57014" || state.hasPrefix("54") || state.hasPrefix("XX")
        return error
    }
}
