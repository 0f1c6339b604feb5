import Catalogue
package import Failures
import Measurement
import Store

/// Stores the rounds of a schedule, and then announces them and has followers work on them. It waits for no
/// other machine or program.
package actor WatchLog {
    /// The one owner of the store: a copy would keep one open that has failed. Without it the rounds are
    /// only announced.
    private var backlog: RoundBacklog?
    private let console: any RoundConsole
    private let followers: RoundFollowers
    private let metrics: StoredRoundWork.Metrics?
    private var told = 0
    private var missed = 0
    private var givenUp = 0
    /// Why the store did not take a round, as it was last said.
    private var trouble: StoreError?
    /// Why the metrics could not be written, as it was last said.
    private var metricsTrouble: String?

    init(
        store path: String?,
        _ durability: Store.Durability,
        _ console: any RoundConsole,
        _ followers: RoundFollowers,
        _ metrics: StoredRoundWork.Metrics?
    ) throws {
        backlog = try path.map { try RoundBacklog(path: $0, durability: durability) }
        self.console = console
        self.followers = followers
        self.metrics = metrics
    }

    /// Takes rounds to their end; `stop` is called where nobody reads on.
    func follow(_ rounds: RoundQueue<MeasuredRound>, stop: @Sendable () -> Void) async {
        while let next = await rounds.next() {
            guard backlog != nil else {
                for round in next { tell(round, stop) }
                continue
            }
            for number in backlog?.add(next) ?? [] {
                givenUp += 1
                console.warn("round \(number) is lost: too many wait to be stored")
            }
            store(stop)
        }
        if backlog?.count ?? 0 > 0 { store(stop) }
        backlog?.letGoIfMoved()
    }

    private func store(_ stop: () -> Void) {
        do throws(StoreError) {
            while let round = try backlog?.storeNext() {
                trouble = nil
                console.show(unstored: 0)
                tell(round, stop)
                guard let store = backlog?.current else { continue }
                writeMetrics(of: store)
                followers.roundStored(round)
                store.releaseMemory()
            }
        } catch {
            console.show(unstored: backlog?.count ?? 0)
            guard trouble != error else { return }
            trouble = error
            console.warn("\(error) (what is measured is kept in memory and tried again)")
        }
    }

    private func writeMetrics(of store: Store) {
        do {
            try metrics?(store)
            metricsTrouble = nil
        } catch {
            let text = "\(error)"
            if text != metricsTrouble { console.warn("\(text) (tried again after each round)") }
            metricsTrouble = text
        }
    }

    private func tell(_ measured: MeasuredRound, _ stop: () -> Void) {
        told += 1
        missed += measured.missed
        if !console.announce(measured, isStored: backlog != nil) { stop() }
    }

    private var lost: Int { givenUp + (backlog?.count ?? 0) }

    package var summary: String {
        let fate = backlog.map { "stored in '\($0.path)'" } ?? "measured"
        var parts = ["\(told.counted("round")) \(fate)"]
        if missed > 0 { parts.append("\(missed.counted("slot")) missed") }
        if lost > 0 { parts.append("\(lost.counted("round")) lost") }
        return parts.joined(separator: "; ")
    }

    package func check() throws(Failure) {
        guard lost == 0 else {
            throw Failure(
                .inputOutput,
                "\(lost) of \(told + lost) rounds could not be stored"
                    + (trouble.map { ": \($0)" } ?? "")
            )
        }
        if let failure = console.outputFailure { throw failure }
    }
}
