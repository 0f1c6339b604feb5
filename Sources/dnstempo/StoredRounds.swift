import Measurement

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// When the rounds of a store began.
enum StoredRounds {
    /// None where there is no store yet, `nil` where it cannot be read.
    static func times(in path: String) throws -> [Timestamp]? {
        unsafe access(path, F_OK) != 0 && errno == ENOENT ? [] : nil
    }
}
