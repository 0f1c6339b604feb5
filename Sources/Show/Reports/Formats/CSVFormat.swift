/// The figures for spreadsheets (RFC 4180): times in milliseconds, an empty cell for what there is
/// not.
package struct CSVFormat: DocumentFormat {
    package init() {}

    package func render(_ document: Document) -> String {
        (document.spreadsheet ?? document.figures)().cells.csv
    }
}
