import LibC

/// An error that consists of its exit status and one line of text.
package struct Failure: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus
    /// One line that states the fault and its correction; empty if all was already reported.
    package var description: String

    package init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }

    package init(_ error: some ExitStatusError) { self.init(error.status, error.description) }

    package static func usage(_ description: String) -> Failure { Failure(.usage, description) }

    /// Throws a usage error for the first of `faults` that is true.
    package static func refuse(_ faults: KeyValuePairs<String, Bool>) throws(Failure) {
        if let fault = faults.first(where: \.value) { throw usage(fault.key) }
    }

    /// No resolver answered. `advice` is a question about the possible cause.
    package static func noAnswer(_ advice: String = "is there a network?") -> Failure {
        Failure(.unavailable, "no resolver answered; \(advice)")
    }

    /// No server can listen at `place`, an address and a port, because of `error`. `code` is its number in the
    /// system, if it has one.
    package static func listening(
        at place: String,
        _ error: any Error,
        _ code: Int32?
    ) -> Failure {
        let reason =
            switch code {
            case EADDRINUSE: "is in use by another program; choose another with --port"
            case EADDRNOTAVAIL: "is not an address of this machine; choose another with --listen"
            case EACCES: "may not be used without more rights; choose a --port above 1023"
            default: "cannot be listened on: \(error)"
            }
        return Failure(.cannotCreate, "\(place) \(reason)")
    }
}
