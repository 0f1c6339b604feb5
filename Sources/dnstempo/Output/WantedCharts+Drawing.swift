import CMemory
import Charts
import Reports

extension WantedCharts {
    /// Draws the charts on the page of `document`. The picture has all of them, or only the wanted one.
    func draw(on document: inout Document, isOne: Bool, by reader: HistoryReader) throws {
        // Single samples of a year take much memory. It is returned before the charts are read, and again
        // before they are drawn.
        cmemory_keep_no_large_blocks()
        cmemory_give_back()
        defer { cmemory_give_back() }
        let drawings = HistoryDrawing.all(kinds, of: try reader.timeline(of: self))
        if isOne {
            let sheet = drawings.first?.sheet
            document.sheet = { _ in sheet }
        } else {
            let figures = drawings.filter { !$0.showsNothing }.map(\.figure)
            document.charts = { figures }
            let sheet = document.sheet(of: figures.flatMap(\.charts))
            document.sheet = { _ in sheet }
        }
    }
}
