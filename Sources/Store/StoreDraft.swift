import GRDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The name under which a process makes a new store beside its place.
struct StoreDraft {
    let path: String

    /// Of this process, for a store.
    init(of store: String) { path = "\(store).new-\(getpid())" }

    private init(path: String) { self.path = path }

    /// Makes the file, empty and for its owner alone, which its companions then are too.
    func make() throws(DatabaseError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
        close(descriptor)
    }

    func remove() {
        unsafe unlink(path)
        unsafe unlink(path + "-journal")
    }

    /// Removes what processes that were killed at it have left behind; `folder` is the store's.
    static func removeAbandoned(of store: String, in folder: String) {
        let name = store.split(separator: "/").last.map(String.init) ?? store
        let start = "\(name).new-"
        for entry in names(in: folder) where entry.hasPrefix(start) {
            guard let process = pid_t(entry.dropFirst(start.count).prefix { $0.isNumber }),
                process > 0, kill(process, 0) != 0, errno == ESRCH
            else { continue }
            StoreDraft(path: "\(folder)/\(start)\(process)").remove()
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let octets = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe Array($0.prefix { $0 != 0 })
            }
            names.append(String(decoding: octets, as: UTF8.self))
        }
        return names
    }
}
