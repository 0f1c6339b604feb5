import Central
import Dashboard

/// Watches a central store for rounds that places ship. It uses its own connection.
final class CentralWatcher: StoreWatching {
    private let reader: CentralReader
    private let token: String?

    init(_ connection: sending CentralConnection) throws {
        reader = CentralReader(connection)
        token = try reader.changeToken()
    }

    /// Whether places have shipped rounds since the store was read. Data already read does not change.
    var isReplaced: Bool { (try? reader.changeToken()) != token }

    func hasNews() -> Bool { false }
}
