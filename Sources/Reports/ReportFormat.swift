/// One way to write a report.
package protocol ReportFormat: Sendable {
    /// The whole report as text, with a line break at its end.
    func render(_ report: ComparisonReport) -> String
}
