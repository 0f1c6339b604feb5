import SQLite
package import Samples
import Synchronization

/// A store of rounds and samples in an SQLite file.
///
/// A round is stored completely, with its rollups, in one transaction. Writers wait for each other. A reader
/// sees the state at the beginning of its transaction.
package final class Store: Sendable {
    /// The event that a round survives after it was reported as stored.
    package enum Durability: String, Hashable, Sendable, CaseIterable {
        /// A power cut.
        case full
        /// The end of this process. A power cut loses only the last rounds.
        case normal
        /// The end of this process.
        case off
    }

    package enum Access: Hashable, Sendable {
        case readWrite, readOnly
    }

    package let path: String
    package let durability: Durability
    private let queue: DatabaseQueue
    private let file: StoreFile
    /// The numbers of rows that were referred to before.
    private let numbers = Mutex<[ReferredRow: Int64]>([:])

    /// Opens the store at `path`. To write, creates it if it is missing, and migrates it to this version of
    /// the schema. A writer waits for other writers up to `patience`.
    package init(
        path: String,
        durability: Durability = .full,
        access: Access = .readWrite,
        patience: Duration = .seconds(60)
    ) throws(StoreError) {
        self.path = path
        self.durability = durability
        file = StoreFile(path: path, access: access)
        queue = try file.queue(durability: durability, patience: patience)
    }

    /// Creates an empty store that ends with this object. Errors name it `place`. Data that exceed its cache
    /// are in a temporary file, because the samples of a year do not fit into memory.
    init(temporaryOf place: String) throws(StoreError) {
        path = place
        durability = .off
        file = StoreFile(path: place, access: .readWrite)
        do {
            queue = try Schema.emptyStore(in: DatabaseQueue(inMemory: 4000))
        } catch {
            throw StoreError(error, path: place)
        }
    }

    /// Reads from one snapshot.
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try file.naming { try queue.read(body) }
    }

    /// Writes in one transaction. Waits for other writers before it begins. An error undoes everything.
    func write<Value>(_ body: (inout WriteContext) throws -> Value) throws(StoreError) -> Value {
        try file.naming {
            // Numbers from a transaction that fails were never stored.
            let known = numbers.withLock { numbers in
                defer { numbers = [:] }
                return numbers
            }
            let (value, learnt) = try queue.write { database in
                var context = try WriteContext(database, known)
                let value = try body(&context)
                try context.writeRollups()
                return (value, context.numbers)
            }
            numbers.withLock { $0 = learnt }
            return value
        }
    }

    /// Writes rows unchanged, in one transaction.
    func writeRows(_ body: (Database) throws -> Void) throws(StoreError) {
        try file.naming { try queue.write(body) }
    }

    /// Runs statements that are not allowed in a transaction.
    func withoutTransaction<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try file.naming { try queue.inDatabase(body) }
    }

    /// Whether the store must be opened again to show what was written since.
    package var isOutdated: Bool { file.isOutdated }

    /// Releases the memory that is kept for the next transaction, which may be far in the future.
    package func releaseMemory() { queue.releaseMemory() }

    /// A number that changes when another connection commits. Only numbers of one opened store can be
    /// compared.
    package func changeCounter() throws(StoreError) -> Int {
        try withoutTransaction { try $0.count("PRAGMA data_version") }
    }

    /// Moves the content of the store's log (-wal) into its file. The file alone is then the store, even
    /// after it was moved away from its log.
    package func foldLog() throws(StoreError) {
        try withoutTransaction { try $0.foldLog() }
    }
}

extension Store {
    /// A part of the history.
    package struct Window: Hashable, Sendable {
        /// The first moment of the window, and the first moment after it.
        package private(set) var since: Timestamp
        package private(set) var until: Timestamp
        /// The origins of the rounds; `nil` for all origins.
        package var origins: Set<Run.Origin>?
        /// The labels of the resolvers; `nil` for all labels.
        package var labels: Set<String>?
        /// Whether to include the samples of rounds that do not describe the resolvers. These are rounds of
        /// an outage, and rounds during which the machine was suspended.
        package var includesMarked: Bool
        /// Whether samples include TTL, number and size of their answers. Figures do not need these values,
        /// and reading them takes long.
        package var tellsAnswers: Bool

        /// Creates a window. `nil` is the beginning or the end of the history.
        package init(
            since: Timestamp? = nil,
            until: Timestamp? = nil,
            origins: Set<Run.Origin>? = nil,
            labels: Set<String>? = nil,
            includesMarked: Bool = false,
            tellsAnswers: Bool = true
        ) {
            self.since = since ?? Timestamp(nanoseconds: .min)
            self.until = until ?? Timestamp(nanoseconds: .max)
            self.origins = origins
            self.labels = labels
            self.includesMarked = includesMarked
            self.tellsAnswers = tellsAnswers
        }

        func contains(_ time: Timestamp) -> Bool {
            // A window without an end includes the last possible moment.
            since <= time && (time < until || until.nanoseconds == .max)
        }

        func contains(origin: Int64) -> Bool {
            guard let origins else { return true }
            let known = Run.Origin(rawValue: UInt8(truncatingIfNeeded: origin))
            return known.map(origins.contains) ?? false
        }

        func contains(label: String) -> Bool { labels?.contains(label) ?? true }

        /// The values for `start < ? AND stop >= ?`.
        var bounds: [(any StatementBinding)?] { [until.nanoseconds, since.nanoseconds] }

        package func between(_ since: Timestamp, _ until: Timestamp) -> Window {
            var window = self
            (window.since, window.until) = (since, until)
            return window
        }
    }
}
