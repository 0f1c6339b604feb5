import Reports
import Store
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The stores as they are now: opened again where one was replaced, and looked at for new rounds.
final class Archive: Sendable {
    private struct Opened {
        var history: Result<any RecordedHistory, any Error>
        /// Looks at each store, over a connection of its own so that a long read holds up nothing.
        var lookouts: [Lookout]
        /// Counts the states that were seen.
        var edition = 0
    }

    private let paths: [String]
    private let open: @Sendable () throws -> any RecordedHistory
    private let opened: Mutex<Opened>

    init(
        _ paths: [String],
        open: @escaping @Sendable () throws -> any RecordedHistory
    ) throws {
        self.paths = paths
        self.open = open
        let history = try open()
        let lookouts = try paths.map { try Lookout($0) }
        opened = Mutex(Opened(history: .success(history), lookouts: lookouts))
    }

    /// What is read from; throws where a store cannot be read.
    func history() throws -> any RecordedHistory {
        try opened.withLock { $0.history }.get()
    }

    /// Grows with every state of the stores that was seen.
    var edition: Int { opened.withLock { $0.edition } }

    /// Whether the stores are others than when this was last called.
    func look() -> Bool {
        opened.withLock { opened in
            let isNew = opened.lookouts.indices.map { opened.lookouts[$0].look() }
            guard isNew.contains(true) else { return false }
            opened.edition += 1
            if opened.lookouts.contains(where: \.wasReplaced) { reopen(&opened) }
            return true
        }
    }

    private func reopen(_ opened: inout Opened) {
        do {
            opened.lookouts = try paths.map { try Lookout($0) }
            opened.history = .success(try open())
        } catch {
            opened.history = .failure(error)
        }
    }
}

/// Watches one store's file and what is written into it.
private struct Lookout {
    private let path: String
    private let store: Store
    private var file: [UInt64]
    private var changes: Int?
    /// Whether another file is at the path now, or none.
    private(set) var wasReplaced = false

    init(_ path: String) throws(StoreError) {
        self.path = path
        store = try Store(path: path, access: .readOnly)
        file = Self.identity(path)
        changes = try? store.changeCounter()
    }

    /// Whether there is something new.
    mutating func look() -> Bool {
        let now = Self.identity(path)
        if now != file {
            file = now
            wasReplaced = true
            return true
        }
        let changes = try? store.changeCounter()
        defer { self.changes = changes }
        return changes != self.changes
    }

    private static func identity(_ path: String) -> [UInt64] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return [] }
        return [
            UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino),
        ]
    }
}
