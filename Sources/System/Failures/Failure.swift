/// An error that is nothing but its exit status and its line.
package struct Failure: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus
    /// One line that says what is wrong and what to do; empty where all was said already.
    package var description: String

    package init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }

    package init(_ error: some ExitStatusError) { self.init(error.status, error.description) }

    package static func usage(_ description: String) -> Failure { Failure(.usage, description) }

    /// Refuses a command of which one of `faults` holds, the first of them.
    package static func refuse(_ faults: KeyValuePairs<String, Bool>) throws(Failure) {
        if let fault = faults.first(where: \.value) { throw usage(fault.key) }
    }

    /// No resolver answered; `advice` is the question that may be to blame.
    package static func noAnswer(_ advice: String = "is there a network?") -> Failure {
        Failure(.unavailable, "no resolver answered; \(advice)")
    }
}
