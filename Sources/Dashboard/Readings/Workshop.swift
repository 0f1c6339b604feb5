import Dispatch
import Samples
import Store
import Synchronization

/// Makes documents and keeps them while the store has nothing newer.
final class Workshop: Sendable {
    private struct Kept {
        var reply: Reply
        /// Of the store that it was made of.
        var edition: Int
        var made: ContinuousClock.Instant
        var cost: Duration
        var asked: ContinuousClock.Instant
    }

    /// Documents that nobody asked for in so long are not made anew.
    private static let interest = Duration.seconds(600)
    /// How long what nobody asked for yet is kept up to date.
    private static let hope = Duration.seconds(120)
    /// How long a document holds though nothing was stored, since its window moves on.
    static let age = Duration.seconds(60)
    /// A document is not made again before so many times as long have passed.
    private static let leisure = 5
    private static let mostKept = 48
    private static let mostWaiting = 64

    private let archive: Archive
    private let maker: DocumentMaker
    private let desk = Desk()
    private let clock = ContinuousClock()
    private let kept = Mutex<[Document: Kept]>([:])
    private let waiting = Mutex(0)
    /// The page that somebody looked at last: there may be more to see.
    private let looked = Mutex<(page: Document, at: ContinuousClock.Instant)?>(nil)

    init(_ archive: Archive, maker: DocumentMaker) {
        self.archive = archive
        self.maker = maker
    }

    /// What is kept of `document`, which is at most as old as the newest round is in the making;
    /// else it is made now.
    func reply(to document: Document) async -> Reply {
        let now = clock.now
        let known = kept.withLock { kept -> Reply? in
            guard let found = kept[document], found.made.duration(to: now) < Self.age * 2 else {
                return nil
            }
            kept[document]?.asked = now
            return found.reply
        }
        if document.leadsOn { looked.withLock { $0 = (document, now) } }
        if let known { return known }
        let isFree = waiting.withLock { count in
            guard count < Self.mostWaiting else { return false }
            count += 1
            return true
        }
        guard isFree else { return .busy(document.form) }
        defer { waiting.withLock { $0 -= 1 } }
        return await desk.run { [self] in
            // Others may have waited for the same.
            let made = kept.withLock { $0[document] }
            if let made, made.made >= now { return made.reply }
            return make(document, asked: now)
        }
    }

    /// Makes one page that the one asked for last leads to, where nobody waits for another. Returns
    /// whether there was one.
    func prepare() async -> Bool {
        guard let (page, moment) = looked.withLock({ $0 }),
            moment.duration(to: clock.now) < Self.hope
        else { return false }
        return await desk.run { [self] in
            let kept = kept.withLock { $0.count < Self.mostKept ? Set($0.keys) : nil }
            guard let kept, waiting.withLock({ $0 == 0 }),
                let next = page.neighbours(labels: archive.labels())
                    .first(where: { !kept.contains($0) })
            else { return false }
            _ = make(next, asked: clock.now.advanced(by: Self.hope - Self.interest))
            // What cannot be made is not tried again.
            guard self.kept.withLock({ $0[next] != nil }) else {
                looked.withLock { $0 = nil }
                return false
            }
            return true
        }
    }

    /// Makes anew what was asked for lately and is behind the store, or with `all` whatever it is;
    /// what takes long less often. Returns how many documents were made, and how many are behind.
    func refresh(all: Bool) async -> (made: Int, behind: Int) {
        let now = clock.now
        let edition = archive.edition
        let wanted = kept.withLock { kept -> [(document: Document, made: Kept)] in
            kept = kept.filter { $1.asked.duration(to: now) < Self.interest }
            return kept.filter { all || $1.edition < edition }.map { ($0.key, $0.value) }
        }
        let due = wanted.filter { $0.made.made.duration(to: now) > $0.made.cost * Self.leisure }
        // What was asked for last is looked at now, most likely.
        for (document, kept) in due.sorted(by: { $0.made.asked > $1.made.asked })
        where !Task.isCancelled {
            _ = await desk.run { [self] in make(document, asked: kept.asked) }
        }
        return (due.count, wanted.count - due.count)
    }

    private func make(_ document: Document, asked: ContinuousClock.Instant) -> Reply {
        let start = clock.now
        let edition = archive.edition
        let reply: Reply
        do {
            reply = try maker.reply(to: document, reading: archive)
        } catch {
            // What it said before holds no more.
            kept.withLock { $0[document] = nil }
            return .failure(error, document.form)
        }
        let entry = Kept(
            reply: reply,
            edition: edition,
            made: start,
            cost: start.duration(to: clock.now),
            asked: asked
        )
        kept.withLock { kept in
            if kept[document] == nil, kept.count >= Self.mostKept,
                let oldest = kept.min(by: { $0.value.asked < $1.value.asked })?.key
            {
                kept[oldest] = nil
            }
            kept[document] = entry
        }
        return reply
    }
}

/// Where documents are made, one after the other on a thread of its own: reading and computing hold
/// up neither the connections nor the rounds that are measured meanwhile.
actor Desk {
    private nonisolated let executor = DeskExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try body()
    }
}

private final class DeskExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "dnstempo.dashboard", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
