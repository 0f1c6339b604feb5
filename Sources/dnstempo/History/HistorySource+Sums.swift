import Central
import Dashboard
import Samples
import Store

/// The hourly sums of central stores: files tell their own.
extension HistorySource: SumSource {
    func forEachSum(
        since: Timestamp?,
        origins: Set<Run.Origin>,
        _ body: (HourlySum) throws -> Void
    ) throws {
        let window = (since ?? CentralReader.always.lowerBound)..<CentralReader.always.upperBound
        let names = try placeNames()
        for store in try group(window, since == nil ? .days : .hours).stores {
            try store.forEachSum(since: since, origins: origins) { sum in
                if let named = names.named(sum) { try body(named) }
            }
        }
    }

    func lastQuery(origins: Set<Run.Origin>) throws -> Timestamp? {
        try spans().filter { origins.contains($0.key) }.values.map(\.upperBound).max()
    }
}

/// Watches a central store for rounds that places ship, over a connection of its own.
final class CentralWatcher: StoreWatching {
    private let reader: CentralReader
    private let token: String?

    init(_ connection: sending CentralConnection) throws {
        reader = CentralReader(connection)
        token = try reader.changeToken()
    }

    /// Whether places have shipped since the store was read: what was read of it stays as it was
    /// read.
    var isReplaced: Bool { (try? reader.changeToken()) != token }

    func hasNews() -> Bool { false }
}
