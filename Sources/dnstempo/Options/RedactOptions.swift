import ArgumentParser
import Catalogue
import Failures
import Processes
import Reports
import Samples

/// Options of every command whose output users share.
struct RedactOptions: ParsableArguments {
    @Flag(help: "Replace names, private addresses, vantage, machine name and paths.")
    var redact = false

    @Flag(help: "Keep the query names of a redacted output.")
    var keepNames = false

    /// The redaction of the outputs, which has noted no values yet. `nil` if none is wanted.
    func redaction() throws -> Redaction? {
        try Failure.refuse([
            "--keep-names keeps the names of a redacted output: add --redact, or leave it out":
                keepNames && !redact
        ])
        guard redact else { return nil }
        let catalogue = try ResolverCatalogue.bundled()
        var redaction = Redaction(
            keepingNames: keepNames,
            publicLabels: Set(catalogue.entries.map(\.name)),
            publicServers: Set(catalogue.entries.flatMap(\.encrypted.placeEnds))
        )
        let machine = Environment.hostName
        if machine != "localhost" {
            redaction.note(word: machine, as: "machine")
            redaction.note(word: String(machine.prefix { $0 != "." }), as: "machine")
        }
        if let user = Environment["USER"], user != "root" {
            redaction.note(word: user, as: "user")
        }
        return redaction
    }

    /// Rejects an `option` whose output cannot be redacted, for the `reason`, a clause.
    func refuse(_ option: String, _ isGiven: Bool, because reason: String) throws(Failure) {
        try Failure.refuse([
            "--redact and \(option) cannot be combined, because \(reason)": redact && isGiven
        ])
    }
}
