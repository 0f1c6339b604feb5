import Measurement
import Reports
import Samples
import Store

/// Stores the rounds of a schedule and then, not before, tells of them.
struct WatchLog {
    /// Without one the rounds are only told of.
    private(set) var backlog: RoundBacklog?
    let console: WatchConsole
    /// `nil` where nobody wants to be told of what happened.
    let notifier: Notifier?
    let metrics: MetricsFile?
    private(set) var told = 0
    private(set) var missed = 0
    private(set) var givenUp = 0
    /// Why the store did not take a round, as it was last said.
    private(set) var trouble: StoreError?
    /// Why the metrics could not be written, as it was last said.
    private(set) var metricsTrouble: String?

    /// Takes rounds to their end; `stop` is called where nobody reads on.
    mutating func follow(_ rounds: RoundQueue<MeasuredRound>, stop: () -> Void) async {
        while let next = await rounds.next() {
            guard backlog != nil else {
                for round in next { await tell(round, "measured", stop) }
                continue
            }
            for number in backlog?.add(next) ?? [] {
                givenUp += 1
                console.warn("round \(number) is lost: too many wait to be stored")
            }
            await store(stop)
        }
        if backlog?.count ?? 0 > 0 { await store(stop) }
    }

    private mutating func store(_ stop: () -> Void) async {
        do throws(StoreError) {
            while let round = try backlog?.storeNext() {
                trouble = nil
                console.show(unstored: 0)
                await tell(round, "stored", stop)
                guard let store = backlog?.current else { continue }
                writeMetrics(of: store)
                await notifier?.roundStored(in: store, from: round.run.vantage)
                store.releaseMemory()
            }
        } catch {
            console.show(unstored: backlog?.count ?? 0)
            guard trouble != error else { return }
            trouble = error
            console.warn("\(error) (what is measured is kept in memory and tried again)")
        }
    }

    /// Says once why the metrics cannot be written, and goes on.
    private mutating func writeMetrics(of store: Store) {
        do {
            try metrics?.write(store)
            metricsTrouble = nil
        } catch {
            let text = Failure(describing: error).description
            if text != metricsTrouble { console.warn("\(text) (tried again after each round)") }
            metricsTrouble = text
        }
    }

    private mutating func tell(_ measured: MeasuredRound, _ fate: String, _ stop: () -> Void) async
    {
        told += 1
        missed += measured.missed
        console.add(measured)
        let line = RoundLine(
            number: Int(measured.round.number),
            start: measured.start,
            counts: measured.counts,
            marks: measured.round.marks,
            unverified: measured.recording.samples.count {
                $0.observation.flags.contains(.unverified)
            },
            missed: measured.missed,
            fate: fate
        )
        if !console.announce(line) { stop() }
    }

    var summary: String {
        let fate = backlog.map { "stored in '\($0.path)'" } ?? "measured"
        var parts = ["\(told.counted("round")) \(fate)"]
        if missed > 0 { parts.append("\(missed.counted("slot")) missed") }
        let lost = givenUp + (backlog?.count ?? 0)
        if lost > 0 { parts.append("\(lost.counted("round")) lost") }
        return parts.joined(separator: "; ")
    }

    /// Throws where not all was stored, or not all could be told.
    func check() throws(Failure) {
        let lost = givenUp + (backlog?.count ?? 0)
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
