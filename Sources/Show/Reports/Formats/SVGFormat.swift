package import Charts

/// The document as one picture of all charts, or of one kind of chart.
package struct SVGFormat: DocumentFormat {
    /// The kind of chart to draw; `nil` for all kinds.
    private let only: ChartKind?

    package init(only: ChartKind? = nil) { self.only = only }

    package func render(_ document: Document) -> String {
        guard var sheet = document.sheet(only) else { return "" }
        if let redaction = document.redaction { sheet.footer += " " + redaction }
        return sheet.svg()
    }
}
