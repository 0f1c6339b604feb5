package import Samples

/// The time of a check, and the version and command of the program.
package struct CheckContext: Sendable {
    let started: Timestamp
    let finished: Timestamp
    let toolVersion: String
    /// The command as the user typed it.
    let command: String

    package init(started: Timestamp, finished: Timestamp, toolVersion: String, command: String) {
        self.started = started
        self.finished = finished
        self.toolVersion = toolVersion
        self.command = command
    }
}

/// The result of checks.
protocol TruthReport: Report {
    associatedtype Resolver

    var context: CheckContext { get }
    /// The resolvers with their findings, as JSON shows them.
    var resolvers: [Resolver] { get }
    static var resolver: Shape<Resolver> { get }
    /// The name of the schema without its version.
    static var schema: String { get }
    /// Whether a command with `--redact` writes the report.
    static var isRedactable: Bool { get }
}

extension TruthReport {
    package static var fields: [Field<Self>] {
        DocumentHead.fields("dnstempo.\(schema)/1", isRedactable: isRedactable) {
            $0.context.toolVersion
        } + [
            .moment("started", "Start of the checks.") { $0.context.started },
            .moment("finished", "End of the checks.") { $0.context.finished },
            .list("resolvers", resolver, "One entry per resolver.") { $0.resolvers },
        ]
    }

    func document(_ section: Document.Section) -> Document {
        let (started, finished) = (context.started, context.finished)
        var document = Document(
            [section],
            provenance: "Checked from \(started) to \(finished), dnstempo \(context.toolVersion).",
            json: { Self.fields.members(of: self) }
        )
        document.command = context.command
        document.commandHeading = "Check again"
        return document
    }
}
