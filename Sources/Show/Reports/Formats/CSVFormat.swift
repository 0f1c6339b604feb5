/// The figures for spreadsheets (RFC 4180). Times are in milliseconds. A missing value is an empty
/// cell.
package struct CSVFormat: DocumentFormat {
    package init() {}

    package func render(_ document: Document) -> String {
        (document.spreadsheet ?? document.figures)().cells.csv
    }
}
