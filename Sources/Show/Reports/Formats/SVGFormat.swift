package import Charts

/// The document as one picture, or one kind of chart of it.
package struct SVGFormat: DocumentFormat {
    /// The one chart to draw; `nil` for a sheet of all.
    private let only: ChartKind?

    package init(only: ChartKind? = nil) { self.only = only }

    package func render(_ document: Document) -> String { document.sheet(only)?.svg() ?? "" }
}
