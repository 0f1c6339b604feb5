import Measurement
import Store

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// When the scheduled rounds of a store began.
enum StoredRounds {
    /// None where there is no store yet.
    static func times(in path: String) throws -> [Timestamp] {
        if unsafe access(path, F_OK) != 0 && errno == ENOENT { return [] }
        let scheduled = Store.Window(origins: [.sample], includesMarked: true)
        return try Store(path: path, access: .readOnly).rounds(scheduled).map(\.start)
    }
}
