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
}
