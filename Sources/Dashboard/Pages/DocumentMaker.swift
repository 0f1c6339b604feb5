import Measurement
import Reports
import Statistics

/// Makes documents of what was recorded: the same reports and charts as the command line's.
struct DocumentMaker: Sendable {
    let settings: DashboardSettings

    func reply(to document: Document, reading history: any RecordedHistory) throws -> Reply {
        let reader = HistoryReader(history, try document.window.context(settings))
        switch document.subject {
        case .overview:
            return try json(reader.overview(inUse: settings.inUse, rules: ComparisonRules()))
        case .window(let grouping): return try json(try reader.window(by: grouping))
        case .changes: return try json(try reader.changes())
        case .course, .comparison: return .plain("")
        }
    }

    private func json(_ report: some HistoryReport) throws -> Reply {
        .json(report.render(as: .json, width: 0, colour: false) ?? "")
    }
}
