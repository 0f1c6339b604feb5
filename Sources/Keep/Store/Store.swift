import SQLite
package import Samples
import Synchronization

/// Rounds and samples kept in an SQLite file.
///
/// A round is stored whole, with its rollups, in one transaction; writers wait for each other, and
/// a reader sees what was there when it began.
package final class Store: Sendable {
    /// The accident that a round which was reported as stored survives.
    package enum Durability: String, Hashable, Sendable, CaseIterable {
        /// A power cut.
        case full
        /// The end of this process, and of a power cut all but the last rounds.
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
    /// Numbers of rows that were referred to before.
    private let numbers = Mutex<[ReferredRow: Int64]>([:])

    /// Opens the store at `path`; to write, it is made where there is none, and brought to this
    /// version of the schema. A writer waits for others up to `patience`.
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

    /// An empty store that ends with this object, which errors name as that of `place`. What exceeds its
    /// cache is in a temporary file: the samples of a year do not fit into memory.
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

    /// Writes in one transaction, for which other writers are waited for before it begins; an
    /// error undoes all of it.
    func write<Value>(_ body: (inout WriteContext) throws -> Value) throws(StoreError) -> Value {
        try file.naming {
            // What is learnt in a transaction that fails was never stored.
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

    /// Writes rows as they are in one transaction.
    func writeRows(_ body: (Database) throws -> Void) throws(StoreError) {
        try file.naming { try queue.write(body) }
    }

    /// Runs what may not stand in a transaction.
    func withoutTransaction<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try file.naming { try queue.inDatabase(body) }
    }

    /// Whether it has to be opened again to tell of what was written since.
    package var isOutdated: Bool { file.isOutdated }

    /// Lets go of what is kept in memory for the next transaction, which may be long in coming.
    package func releaseMemory() { queue.releaseMemory() }

    /// A number that is another once somebody else has written into the store; only numbers of one
    /// opened store can be compared.
    package func changeCounter() throws(StoreError) -> Int {
        try withoutTransaction { try $0.count("PRAGMA data_version") }
    }

    /// Takes all that is in the store's log (-wal) into its file: the file alone is then the store,
    /// even where it was moved away from its log.
    package func foldLog() throws(StoreError) {
        try withoutTransaction { try $0.foldLog() }
    }
}

extension Store {
    /// Which part of the history is meant.
    package struct Window: Hashable, Sendable {
        /// The first moment, and the first one no longer meant.
        package private(set) var since: Timestamp
        package private(set) var until: Timestamp
        /// The purposes of the rounds; `nil` is any.
        package var origins: Set<Run.Origin>?
        /// Labels of the resolvers; `nil` is every one.
        package var labels: Set<String>?
        /// Whether samples count of rounds that say nothing of the resolvers: those of an outage,
        /// and those in which the machine was suspended.
        package var includesMarked: Bool
        /// Whether samples have what their answers said (TTL, number, size), which figures do
        /// not need and which takes long to read.
        package var tellsAnswers: Bool

        /// `nil` is the beginning, or the end.
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
            // Where it has no end, the last moment that there is lies in it too.
            since <= time && (time < until || until.nanoseconds == .max)
        }

        func contains(origin: Int64) -> Bool {
            guard let origins else { return true }
            let known = Run.Origin(rawValue: UInt8(truncatingIfNeeded: origin))
            return known.map(origins.contains) ?? false
        }

        func contains(label: String) -> Bool { labels?.contains(label) ?? true }

        /// For `start < ? AND stop >= ?`.
        var bounds: [(any StatementBinding)?] { [until.nanoseconds, since.nanoseconds] }

        package func between(_ since: Timestamp, _ until: Timestamp) -> Window {
            var window = self
            (window.since, window.until) = (since, until)
            return window
        }
    }
}
