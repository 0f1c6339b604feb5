package import Failures
import Files
import LibC
import Samples
import Store
import Synchronization

/// The rounds of a watch that wait for their store, in order. A round that the store cannot take is
/// kept, and tried again.
struct RoundBacklog {
    let path: String
    private let durability: Store.Durability
    private var opened: (store: Store, file: FileIdentity?)?
    private var waiting: [MeasuredRound] = []

    /// The maximum number of samples in memory for a store that cannot be written; about 60 MB.
    private static let mostSamples = 500_000
    private static let patience = Duration.seconds(5)

    init(path: String, durability: Store.Durability) throws(StoreError) {
        self.path = path
        self.durability = durability
        _ = try store()
    }

    var current: Store? { opened?.store }

    var count: Int { waiting.count }

    /// Adds rounds to be stored. Returns the numbers of the oldest rounds, which are dropped for
    /// lack of room.
    mutating func add(_ rounds: [MeasuredRound]) -> [Int] {
        waiting += rounds
        var samples = waiting.reduce(0) { $0 + $1.recording.samples.count }
        var givenUp: [Int] = []
        while samples > Self.mostSamples, waiting.count > 1 {
            let oldest = waiting.removeFirst()
            samples -= oldest.recording.samples.count
            givenUp.append(Int(oldest.round.number))
        }
        return givenUp
    }

    /// Stores the oldest waiting round, and returns it after the commit; `nil` if no round waits.
    /// Throws if the store cannot take it now.
    mutating func storeNext() throws(StoreError) -> MeasuredRound? {
        guard let round = waiting.first else { return nil }
        do {
            try store().append(round.recording)
        } catch {
            // A new file at the same path may remedy the fault of the old file.
            opened = nil
            throw error
        }
        waiting.removeFirst()
        letGoIfMoved()
        return round
    }

    private mutating func store() throws(StoreError) -> Store {
        letGoIfMoved()
        if let opened { return opened.store }
        let store = try Store(path: path, durability: durability, patience: Self.patience)
        opened = (store, FileIdentity(path))
        return store
    }

    /// Closes a store whose file was moved or removed, so that the next round goes into a new file
    /// at the path.
    mutating func letGoIfMoved() {
        guard let opened, opened.file != FileIdentity(path) else { return }
        // Its log also contains stored rounds, and the log was not moved with it.
        try? opened.store.foldLog()
        self.opened = nil
    }
}

/// Prevents two programs from measuring rounds for one store at the same time. Together they would
/// exceed the rate that each must keep. It is a lock on a file next to the store. The system
/// releases the lock when the program ends, for any reason.
package final class StoreLock: Sendable {
    private let path: String
    private let descriptor: Int32
    /// The number of this program's rounds in progress.
    private let holders = Mutex(0)

    package init(store path: String) throws(Failure) {
        self.path = path
        let file = "\(path).lock"
        descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(
                .cannotCreate,
                "cannot write '\(file)': \(reasonOfSystem()); make its folder writable, or name another "
                    + "with --store"
            )
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes the lock unless another program has it, and returns whether it did. Release it as
    /// often as it was taken.
    private func takeIfFree() -> Bool {
        holders.withLock { holders in
            if holders == 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return false }
            holders += 1
            return true
        }
    }

    package func takeNow() throws(Failure) {
        guard takeIfFree() else { throw busy }
    }

    /// Waits until other programs release the lock, at most for `patience`. Returns whether it had
    /// to wait.
    @discardableResult
    package func take(within patience: Duration? = nil) async throws -> Bool {
        let end = patience.map { ContinuousClock.now + $0 }
        var hasWaited = false
        try Task.checkCancellation()
        while !takeIfFree() {
            if let end, ContinuousClock.now >= end { throw busy }
            // With a constant interval, every check could coincide with another program's rounds.
            try await Task.sleep(for: .milliseconds(Int.random(in: 5...50)))
            hasWaited = true
        }
        return hasWaited
    }

    private var busy: Failure {
        Failure(
            .busy,
            "another 'dnstempo sample' or 'dnstempo watch' is running on '\(path)'; try again later"
        )
    }

    /// Releases the lock for other programs, after as many calls as it was taken.
    package func release() {
        holders.withLock { holders in
            holders -= 1
            if holders == 0 { flock(descriptor, LOCK_UN) }
        }
    }
}
