import Central
import Dashboard

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
