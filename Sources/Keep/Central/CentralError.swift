package import Failures
import Store

/// The reason why a central store cannot be used, as one line that says what to do.
package struct CentralError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus
    package var description: String
    /// The server's SQLSTATE; `nil` if the error is not from the server.
    package var state: String?
    /// Whether one statement failed or was too slow. The rows of one place can cause this.
    package private(set) var isOfStatement = false

    package init(_ status: ExitStatus, _ description: String, state: String? = nil) {
        self.status = status
        self.description = description
        self.state = state
    }

    /// The SQLSTATE of a lock that was not granted in time.
    static let lockTimeout = "55P03"
    /// The SQLSTATE of a row that a constraint rejects.
    static let isRejected = "23514"
    /// The SQLSTATE of a row that already exists, such as the name of a schema.
    static let isThere = "23505"
    /// The SQLSTATE of an object that already exists, such as a role.
    static let isDuplicate = "42710"
}

extension CentralError {
    /// The error of a connection that libpq could not open, with libpq's `message`.
    static func unopened(
        _ message: String,
        needsPassword: Bool,
        at place: String
    ) -> CentralError {
        // libpq adds hints on lines of their own.
        let lines = message.split(whereSeparator: \.isNewline).map(String.init)
        let line = lines.last { $0.contains(" failed: ") } ?? lines.last ?? ""
        let reason = line.split(separator: " failed: ", maxSplits: 1).last.map(String.init) ?? line
        let isRefused =
            needsPassword || ["FATAL", "certificate", "SSL"].contains { reason.contains($0) }
        let isAway =
            reason.contains("starting up") || reason.contains("shutting down")
            || reason.contains("too many") || reason.contains("recovery mode")
        let status: ExitStatus = isRefused && !isAway ? .configuration : .busy
        let advice =
            status == .configuration
            ? needsPassword ? "put it into ~/.pgpass" : "see the role, ~/.pgpass and sslmode"
            : "try again later"
        return CentralError(
            status,
            "cannot reach the central store at \(place): \(reason.shortLine): \(advice)"
        )
    }

    /// The error of a store that no longer contains the rounds that it has shipped.
    static func restored(_ store: Store, before shipped: String) -> CentralError {
        CentralError(
            .badData,
            "the store '\(store.path)' was put back to before it shipped \(shipped): have it enrolled "
                + "anew (dnstempo store enrol --again)"
        )
    }

    /// The error that the server reported, with its SQLSTATE (PostgreSQL, appendix A).
    static func server(_ state: String, _ message: String, at place: String) -> CentralError {
        let words = message.shortLine
        let reason = words.hasPrefix("ERROR:") ? words.dropFirst(6).drop { $0 == " " } : words[...]
        let (status, advice): (ExitStatus, String) =
            switch state {
            case "42501", "42P01", "3F000":
                (
                    .configuration,
                    "use the role of its owner, or to ship the one that dnstempo store enrol made"
                )
            case "25006": (.cannotCreate, "the server takes no writes: name the primary")
            case let state where state.hasPrefix("53"): (.cannotCreate, "make room at the server")
            case let state where state.hasPrefix("28"):
                (.configuration, "see ~/.pgpass and the role")
            case let state where state.hasPrefix("22") || state.hasPrefix("23"):
                (.badData, "see dnstempo store check")
            default: (.busy, "try again later")
            }
        var error = CentralError(
            status,
            "the central store at \(place): \(reason): \(advice)",
            state: state
        )
        // Appendix A: data errors, exceeded limits, damaged rows, and the time limit of a statement.
        error.isOfStatement =
            status == .badData || state == "57014" || state.hasPrefix("54") || state.hasPrefix("XX")
        return error
    }
}
