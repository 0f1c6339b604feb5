import Catalogue
package import Failures
import Measurement
import Store

/// Stores the rounds of a schedule, and then passes them to the consumers of stored rounds. It
/// never waits for another machine or program.
package actor WatchLog {
    /// The only owner of the store: a copy would keep a failed store open. Without it, the rounds
    /// are only passed on.
    private var backlog: RoundBacklog?
    private let console: any RoundConsole
    private var told = 0
    private var missed = 0
    private var givenUp = 0
    /// The last reported reason why the store did not take a round.
    private var trouble: StoreError?

    init(
        store path: String?,
        _ durability: Store.Durability,
        _ console: any RoundConsole
    ) throws {
        backlog = try path.map { try RoundBacklog(path: $0, durability: durability) }
        self.console = console
    }

    /// Processes rounds until the last one.
    func follow(_ rounds: RoundQueue<MeasuredRound>, handingTo consumers: [any RoundConsumer]) async
    {
        for await next in rounds {
            guard backlog != nil else {
                for round in next { hand(round, to: consumers) }
                continue
            }
            for number in backlog?.add(next) ?? [] {
                givenUp += 1
                console.warn("round \(number) is lost: too many wait to be stored")
            }
            store(handingTo: consumers)
        }
        if backlog?.count ?? 0 > 0 { store(handingTo: consumers) }
        backlog?.letGoIfMoved()
    }

    private func store(handingTo consumers: [any RoundConsumer]) {
        do throws(StoreError) {
            while let round = try backlog?.storeNext() {
                trouble = nil
                console.show(unstored: 0)
                hand(round, to: consumers)
                backlog?.current?.releaseMemory()
            }
        } catch {
            console.show(unstored: backlog?.count ?? 0)
            guard trouble != error else { return }
            trouble = error
            console.warn("\(error) (what is measured is kept in memory and tried again)")
        }
    }

    private func hand(_ measured: MeasuredRound, to consumers: [any RoundConsumer]) {
        told += 1
        missed += measured.missed
        var round = measured
        consumers.take(&round, in: backlog?.current)
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
