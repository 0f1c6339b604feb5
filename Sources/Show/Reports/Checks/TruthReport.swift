package import Samples

/// When something was checked, and with what.
package struct CheckContext: Sendable {
    let started: Timestamp
    let finished: Timestamp
    let toolVersion: String
    /// As it was typed.
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
    var context: CheckContext { get }
    /// Members of JSON for each resolver, and the name of its schema.
    var resolvers: [JSONValue] { get }
    static var schema: String { get }
}

extension TruthReport {
    func document(_ section: Document.Section) -> Document {
        let (started, finished) = (context.started, context.finished)
        let json: JSONValue = [
            "schema": .string("dnstempo.\(Self.schema)/1"),
            "tool": ["name": .string("dnstempo"), "version": .string(context.toolVersion)],
            "started": .string(started.description),
            "finished": .string(finished.description),
            "resolvers": .array(resolvers),
        ]
        var document = Document(
            [section],
            provenance: "Checked from \(started) to \(finished), dnstempo \(context.toolVersion).",
            json: { json }
        )
        document.command = context.command
        document.commandHeading = "Check again"
        return document
    }
}
