import Samples

/// The members at the start of every document.
enum DocumentHead {
    private static let tool = Shape<String>(
        "tool",
        [
            Field("name", .fixed("dnstempo"), "Name of the program.") { _ in .string("dnstempo") },
            .text("version", "Version of the program.") { $0 },
        ]
    )

    /// The `schema`, such as `dnstempo.report/1`, and the program with its version.
    static func fields<Row>(
        _ schema: String,
        _ version: @escaping @Sendable (Row) -> String
    ) -> [Field<Row>] {
        [
            Field("schema", .fixed(schema), "Name and version of the schema.") { _ in
                .string(schema)
            },
            tool(version),
        ]
    }

    static func tool<Row>(_ version: @escaping @Sendable (Row) -> String) -> Field<Row> {
        .object("tool", tool, "Program that wrote the document.") { version($0) }
    }
}
