import Reports
import Samples
import Synchronization

/// One state of the history at one moment, as documents see it: they agree on what is recorded and
/// on when now is, and what they have in common is made once.
final class Snapshot: Sendable {
    let history: any RecordedHistory
    let moment: Timestamp
    private let known = Mutex<OverviewReport?>(nil)

    init(of history: any RecordedHistory, at moment: Timestamp) {
        self.history = RememberedHistory(history)
        self.moment = moment
    }

    /// What pages of every window show beside it.
    func overview(_ make: () throws -> OverviewReport) rethrows -> OverviewReport {
        if let known = known.withLock({ $0 }) { return known }
        let report = try make()
        known.withLock { $0 = report }
        return report
    }
}
