import Measurement
import Store

/// When the scheduled rounds of a store began.
enum StoredRounds {
    /// None where there is no store yet.
    static func times(in path: String) throws -> [Timestamp] {
        if AbsolutePath.isMissing(path) { return [] }
        let scheduled = Store.Window(origins: [.sample], includesMarked: true)
        return try Store(path: path, access: .readOnly).rounds(scheduled).map(\.start)
    }
}
