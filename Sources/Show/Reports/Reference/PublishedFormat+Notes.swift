extension PublishedFormat {
    /// The notes of reports.
    package static let notes = PublishedFormat(
        "notes",
        title: "Notes",
        """
        A report names what a reader should know before relying on its figures. Each note has three parts: \
        what was observed, what it means for the result, and what to do. JSON has them in `caveats` of a \
        [comparison](comparison.md) and in `notes` of a [report](report.md). A `code` never changes; later \
        versions may add codes. A note has no remedy if the rounds were imported.

        | code | observed | meaning | what to do |
        |:--|:--|:--|:--|
        \(NoteKind.allCases.map(row).joined(separator: "\n"))
        """,
        []
    )

    private static func row(_ kind: NoteKind) -> String {
        let cells = [kind.description, kind.meaning, kind.advice ?? ""]
        return "| `\(kind.rawValue)` | \(cells.joined(separator: " | ")) |"
    }
}
