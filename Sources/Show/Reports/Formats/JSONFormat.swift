package struct JSONFormat: DocumentFormat {
    package init() {}

    package func render(_ document: Document) -> String { document.json().text() + "\n" }
}
