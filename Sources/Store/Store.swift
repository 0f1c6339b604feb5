import GRDB
package import Samples
import Synchronization

/// Rounds and samples kept in an SQLite file.
///
/// A round is stored whole, with its rollups, in one transaction; writers wait for each other, and
/// a reader sees what was there when it began.
package final class Store: Sendable {
    /// What a round that was reported as stored survives.
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

    /// What a round was measured for.
    package enum Origin: UInt8, Hashable, Sendable, CaseIterable {
        case sample, watch, compare
        /// Read from a samples file.
        case imported

        /// As the command line has it.
        package var name: String {
            switch self {
            case .sample: "sample"
            case .watch: "watch"
            case .compare: "compare"
            case .imported: "import"
            }
        }
    }

    /// A run with what the store keeps of its plan.
    package struct Run: Hashable, Sendable {
        package var recordingRun: Recording.Run
        package var origin: Origin
        package var started: Timestamp
        /// From start to start of its rounds, where the plan has several.
        package var interval: Duration?
        package var seed: UInt64?
        /// The name of the schedule that had it taken, where one did.
        package var schedule: String?
        /// What a difference had to exceed, where the run was to compare.
        package var margin: Duration?

        package init(
            recordingRun: Recording.Run,
            origin: Origin,
            started: Timestamp,
            interval: Duration? = nil,
            seed: UInt64? = nil,
            schedule: String? = nil,
            margin: Duration? = nil
        ) {
            self.recordingRun = recordingRun
            self.origin = origin
            self.started = started
            self.interval = interval
            self.seed = seed
            self.schedule = schedule
            self.margin = margin
        }
    }

    package let path: String
    package let durability: Durability
    private let queue: DatabaseQueue
    private let registry = Mutex(Registry())

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
        queue = try StoreFile(path: path).open(
            durability: durability,
            access: access,
            patience: patience
        )
    }

    /// Reads from one snapshot.
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try queue.unsafeRead { database in
                try database.inTransaction(.deferred, of: body)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Writes in one transaction, for which other writers are waited for before it begins; an
    /// error undoes all of it.
    func write<Value>(
        _ body: (Database, inout Registry) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            return try queue.writeWithoutTransaction { database in
                // What the registry learns in a transaction that fails was never stored.
                var learnt = registry.withLock { registry in
                    defer { registry = Registry() }
                    return registry
                }
                let value = try database.inTransaction(
                    .immediate,
                    of: { database in
                        try body(database, &learnt)
                    }
                )
                registry.withLock { [learnt] in $0 = learnt }
                return value
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Lets go of what is kept in memory for the next transaction, which may be long in coming.
    package func releaseMemory() { queue.releaseMemory() }

    /// Runs what may not stand in a transaction.
    func withoutTransaction<Value>(
        _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        do { return try queue.writeWithoutTransaction(body) } catch {
            throw StoreError(error, path: path)
        }
    }
}

extension Database {
    /// Runs `body` in a transaction and returns what it returns; an error undoes all.
    fileprivate func inTransaction<Value>(
        _ kind: Database.TransactionKind,
        of body: (Database) throws -> Value
    ) throws -> Value {
        var value: Value?
        try inTransaction(kind) {
            value = try body(self)
            return .commit
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
    }
}
