package import Central
package import Samples
package import Store

/// The history of stores on this machine. It grows during measurements.
package struct StoreSource: StoredHistory {
    package let group: StoreGroup

    package init(_ group: StoreGroup) { self.group = group }

    package func stores(
        _ window: Range<Timestamp>,
        _ detail: CentralHistory.Detail
    ) -> StoreGroup { group }

    package func spans() throws -> [Run.Origin: ClosedRange<Timestamp>] {
        var spans: [Run.Origin: ClosedRange<Timestamp>] = [:]
        for store in group.stores { spans.merge(try store.spans()) { $0.union($1) } }
        return spans
    }

    package func rounds(_ window: Store.Window) throws -> [RoundMoment] {
        try group.moments(window)
    }

    package func sites(_ window: Store.Window) throws -> [AnsweringSites] {
        try group.sites(window)
    }
}
