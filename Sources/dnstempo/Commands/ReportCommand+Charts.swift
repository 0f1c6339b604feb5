import Charts
import Reports
import Samples

extension ReportCommand {
    /// The charts of a page on a window.
    func charts(over window: Range<Timestamp>) -> WantedCharts {
        // Charts by hour of day are useful only over several days.
        let isLong = window.upperBound.since(window.lowerBound) >= .seconds(2 * 86_400)
        let kinds: [ChartKind] =
            [.timeline] + (isLong ? [.heatmap] : []) + [.distribution, .opening]
        let only = output.chart.flatMap(ChartKind.init(rawValue:))
        return WantedCharts(only.map { [$0] } ?? kinds, fromFirstRound: self.window.since == nil)
    }
}
