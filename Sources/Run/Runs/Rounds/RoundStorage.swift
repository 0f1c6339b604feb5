package import Failures
import Files
import LibC
import Samples
import Store
import Synchronization

/// The rounds of a watch on their way into its store, in their order. What the store cannot take
/// is kept and tried again.
struct RoundBacklog {
    let path: String
    private let durability: Store.Durability
    private var opened: (store: Store, file: FileIdentity?)?
    private var waiting: [MeasuredRound] = []

    /// How many samples are kept in memory for a store that cannot be written, about 60 MB.
    private static let mostSamples = 500_000
    private static let patience = Duration.seconds(5)

    init(path: String, durability: Store.Durability) throws(StoreError) {
        self.path = path
        self.durability = durability
        _ = try store()
    }

    var current: Store? { opened?.store }

    var count: Int { waiting.count }

    /// Takes rounds to be stored; returns the numbers of the oldest that there is no more room for.
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

    /// Stores the oldest round that waits and returns it once it is committed; `nil` where none
    /// waits. Throws where the store cannot take it now.
    mutating func storeNext() throws(StoreError) -> MeasuredRound? {
        guard let round = waiting.first else { return nil }
        do {
            try store().append(round.recording)
        } catch {
            // What was wrong with the file may be mended by another in its place.
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

    /// Closes a store whose file was moved or removed, so that the next round goes into one that is
    /// at the path again.
    mutating func letGoIfMoved() {
        guard let opened, opened.file != FileIdentity(path) else { return }
        // What was stored is in its log too, which stayed behind.
        try? opened.store.foldLog()
        self.opened = nil
    }
}

/// Keeps two programs from taking rounds for one store at the same time, when together they would
/// ask faster than either may: a lock on a file beside it, which the system lets go however the
/// program ends.
package final class StoreLock: Sendable {
    private let path: String
    private let descriptor: Int32
    /// Rounds of this program that are under way.
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

    /// Whether no other program holds it, and this one does now; to be released as often.
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

    /// Waits until other programs let it go, `patience` at most where there is one; whether it had
    /// to.
    @discardableResult
    package func take(within patience: Duration? = nil) async throws -> Bool {
        let end = patience.map { ContinuousClock.now + $0 }
        var hasWaited = false
        try Task.checkCancellation()
        while !takeIfFree() {
            if let end, ContinuousClock.now >= end { throw busy }
            // Evenly, one could look each time while another one is at work.
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

    /// Lets the next one begin, once it is released as often as it was taken.
    package func release() {
        holders.withLock { holders in
            holders -= 1
            if holders == 0 { flock(descriptor, LOCK_UN) }
        }
    }
}
