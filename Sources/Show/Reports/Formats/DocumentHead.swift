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

    /// The `schema`, such as `dnstempo.report/1`, and the program with its version. A command with `--redact`
    /// writes the document if it `isRedactable`.
    static func fields<Row>(
        _ schema: String,
        isRedactable: Bool = true,
        _ version: @escaping @Sendable (Row) -> String
    ) -> [Field<Row>] {
        [
            Field("schema", .fixed(schema), "Name and version of the schema.") { _ in
                .string(schema)
            },
            tool(version),
        ] + (isRedactable ? [redacted()] : [])
    }

    /// The mark of a redacted document. The format adds its value, because no report knows whether its input
    /// was redacted.
    static func redacted<Row>() -> Field<Row> {
        Field(
            redactedKey,
            .flag,
            in: .jsonOnly,
            when: "the document was written with `--redact`",
            "Whether values that identify the user were replaced: always `true`."
        ) { _ in nil }
    }

    fileprivate static let redactedKey = "redacted"

    static func tool<Row>(_ version: @escaping @Sendable (Row) -> String) -> Field<Row> {
        .object("tool", tool, "Program that wrote the document.") { version($0) }
    }
}

extension JSONValue {
    /// The document with the mark of ``DocumentHead/redacted()`` after the program.
    var redacted: JSONValue {
        guard case .object(var members) = self else { return self }
        let place = members.firstIndex { $0.name == "tool" }.map { $0 + 1 } ?? members.endIndex
        members.insert(Member(name: DocumentHead.redactedKey, value: .bool(true)), at: place)
        return .object(members)
    }
}
