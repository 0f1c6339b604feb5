package import Samples

/// A format for other programs, as the reference describes it.
package struct PublishedFormat: Sendable {
    /// A document of the format, or a table.
    package struct Part: Sendable {
        /// `nil` if the format has one part.
        var heading: String?
        var introduction: String
        /// A JSON object; `nil` if the part has none.
        package var object: ObjectForm?
        /// The rows of CSV; `nil` if the part has none.
        package var table: ObjectForm?

        package init(
            _ heading: String? = nil,
            _ introduction: String = "",
            object: ObjectForm? = nil,
            table: ObjectForm? = nil
        ) {
            self.heading = heading
            self.introduction = introduction
            self.object = object
            self.table = table
        }
    }

    /// The name of its page and schema.
    package let name: String
    package let title: String
    /// The command that writes the format, in Markdown.
    let introduction: String
    package let parts: [Part]

    package init(_ name: String, title: String, _ introduction: String, _ parts: [Part]) {
        self.name = name
        self.title = title
        self.introduction = introduction
        self.parts = parts
    }

    /// The JSON Schema (draft 2020-12); `nil` if the format has no JSON.
    package var schema: String? {
        let objects = parts.compactMap(\.object)
        return objects.isEmpty ? nil : JSONSchema(name, title: title, objects).text
    }

    /// The page of the reference, in Markdown.
    package var page: String { ReferencePage(self).text }
}
