import Reports
import Samples
import Synchronization

/// One state of a history at one moment: the rounds of a window, a hundred thousand in a year, are
/// read once for all documents of it.
struct RememberedHistory: RecordedHistory {
    private final class Memory: Sendable {
        let rounds = Mutex<[Range<Timestamp>: [RoundMoment]]>([:])
    }

    private var history: any RecordedHistory
    private let memory = Memory()

    init(_ history: any RecordedHistory) { self.history = history }

    func rounds(_ window: Range<Timestamp>) throws -> [RoundMoment] {
        if let known = memory.rounds.withLock({ $0[window] }) { return known }
        let rounds = try history.rounds(window)
        memory.rounds.withLock { $0[window] = rounds }
        return rounds
    }

    func read(
        _ window: Range<Timestamp>,
        needsSamples: Bool,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> HistoryLimits {
        try history.read(window, needsSamples: needsSamples, samples: samples, sum: sum)
    }

    @discardableResult
    func readSamples(
        _ window: Range<Timestamp>,
        _ body: @escaping (Recording) throws -> Void
    ) throws -> Range<Timestamp>? {
        try history.readSamples(window, body)
    }

    func sites(_ window: Range<Timestamp>) throws -> [AnsweringSites] {
        try history.sites(window)
    }

    func advice(_ window: Range<Timestamp>) throws -> String { try history.advice(window) }

    func resolverLabels() throws -> [String] { try history.resolverLabels() }

    func targets() throws -> [Recording.Target] { try history.targets() }

    /// Shares the rounds, which are those of all resolvers.
    func limited(to labels: Set<String>) -> any RecordedHistory {
        var limited = self
        limited.history = history.limited(to: labels)
        return limited
    }
}
