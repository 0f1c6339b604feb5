package struct JSONFormat: DocumentFormat {
    package init() {}

    package func render(_ document: Document) -> String {
        let json = document.redaction == nil ? document.json() : document.json().redacted
        return json.text() + "\n"
    }
}
