import Foundation
import SimulatedKernel

/// Many histories, each of another seed.
struct Campaign {
    private let options: Options
    private var counts = Counts()
    private var histories = 0
    private let end: Int64
    private let began = simulated_real_time()

    init(_ options: Options) {
        self.options = options
        end = simulated_real_time() + options.seconds * 1_000_000_000
    }

    /// Runs histories until the time is over or one fails. Returns the failed one.
    mutating func run() throws -> (History, History.Result)? {
        var seed = options.seed ?? options.first
        var running: [Int32: History] = [:]
        var failed: (History, History.Result)?
        while true {
            let begun = histories + running.count
            let isOver =
                failed != nil || begun >= options.histories || options.seed != nil && begun > 0
            if !isOver, running.count < options.jobs, simulated_real_time() < end {
                let history = History(
                    seed: seed,
                    steps: options.steps,
                    fault: options.fault,
                    server: options.server,
                    campaign: getpid()
                )
                running[try history.start()] = history
                seed += 1
                continue
            }
            guard let (history, result) = Self.next(of: &running) else { break }
            histories += 1
            counts.add(result.counts)
            // The smallest seed, whatever the order of their ends.
            if result.violation != nil, failed.map({ history.seed < $0.0.seed }) ?? true {
                failed = (history, result)
            }
        }
        return failed
    }

    private static func next(of running: inout [Int32: History]) -> (History, History.Result)? {
        guard !running.isEmpty else { return nil }
        while true {
            var status: Int32 = 0
            let child = unsafe simulated_wait_for_child(&status)
            guard let history = running.removeValue(forKey: child) else { continue }
            return (history, history.result(status))
        }
    }

    /// The same history with fewer steps that still fails, as far as `limit` tries find one.
    func shrunk(_ history: History, _ result: History.Result, tries limit: Int = 100) throws
        -> (History, History.Result)
    {
        var (smallest, found, tries) = (history, result, 0)
        var size = max(1, history.steps.count / 2)
        while size >= 1, tries < limit {
            var start = 0
            while start < smallest.steps.count, tries < limit {
                var shorter = smallest
                shorter.steps.removeSubrange(start..<min(start + size, shorter.steps.count))
                tries += 1
                var running = [try shorter.start(): shorter]
                if let (_, other) = Self.next(of: &running), other.kind == result.kind {
                    (smallest, found) = (shorter, other)
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return (smallest, found)
    }

    var summary: String {
        let years = counts.time / 31_557_600
        let hours = Double(simulated_real_time() - began) / 3.6e12 * Double(options.jobs)
        return "\(histories) histories, \(Int(years)) place-years, \(counts.processes) processes, "
            + "\(counts.rounds) rounds, \(counts.queries) queries, \(counts.crashes) crashes, "
            + "\(counts.writes) writes, \(counts.commits) transactions at the centre, "
            + "\(counts.waits) of them after another one, \(counts.cuts) broken connections, "
            + "\(counts.pages) pages; \(Int(years / hours)) place-years per hour and core"
    }
}

extension History.Result {
    /// The violation without its numbers and names.
    fileprivate var kind: String? { violation.map { String($0.filter(\.isLetter).prefix(20)) } }
}
