import ArgumentParser
import Catalogue
import Failures
import Reports
import Samples

struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats",
        abstract: "Print the JSON Schema or the reference page of a format.",
        discussion: """
            Without a name, prints the list of all formats. Schemas use JSON Schema, draft \
            2020-12. Nothing is sent or written.

            Examples:
              dnstempo formats
              dnstempo formats comparison > comparison.schema.json
              dnstempo formats samples --format markdown
            """
    )

    @Argument(
        help: "Name of a format, such as comparison.",
        completion: .list(PublishedFormat.all.map(\.name))
    )
    var name: String?

    @Option(
        help: "schema or markdown. (default: schema if the format has one, else markdown)",
        completion: .list(["schema", "markdown"])
    )
    var format: String?

    func run() throws {
        guard let name else { return try Terminal.output.write(Self.list) }
        let names = PublishedFormat.all.map(\.name)
        guard let found = PublishedFormat.all.first(where: { $0.name == name }) else {
            let near = NearestName.find(name, among: names)
            let advice =
                near.map { "did you mean '\($0)'?" }
                ?? "the formats are \(names.joined(separator: ", "))"
            throw Failure.usage("unknown format '\(name)'; \(advice)")
        }
        let isPage: Bool
        switch format {
        case nil: isPage = found.schema == nil
        case "schema": isPage = false
        case "markdown": isPage = true
        case let word?:
            throw Failure.usage("--format '\(word)': give schema or markdown")
        }
        guard !isPage else { return try Terminal.output.write(data: found.page) }
        guard let schema = found.schema else {
            throw Failure.usage("the format '\(name)' is not JSON; add --format markdown")
        }
        try Terminal.output.write(data: schema)
    }

    private static var list: String {
        let rows = PublishedFormat.all.map { format in
            [format.name, format.schema == nil ? "page" : "schema, page", format.title]
        }
        return Table(["name", "prints", "format"], rows).text()
    }
}
