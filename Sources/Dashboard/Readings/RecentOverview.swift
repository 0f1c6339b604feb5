import Measurement
import Reports
import Synchronization

/// The last overview, which the pages of every window have in common.
final class RecentOverview: Sendable {
    private let last = Mutex<(report: OverviewReport, edition: Int)?>(nil)

    /// What was made of that edition of the store, no longer ago than a document may be old.
    func report(of edition: Int, at now: Timestamp) -> OverviewReport? {
        last.withLock { last in
            guard let last, last.edition == edition, let made = last.report.context.present,
                now.since(made) < Workshop.age
            else { return nil }
            return last.report
        }
    }

    func keep(_ report: OverviewReport, of edition: Int) {
        last.withLock { $0 = (report, edition) }
    }
}
