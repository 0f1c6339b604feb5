import Samples

/// How well a run could be measured, over all its samples.
struct RunQuality: Hashable {
    /// Queries that left, and what was wrong with some of them.
    private(set) var sent = 0
    private(set) var late = 0
    /// Nanoseconds.
    private(set) var greatestLateness: Int64 = 0
    /// Queries with a round trip, and those of them that the process timed.
    private(set) var timed = 0
    private(set) var userClock = 0
    /// Those of them that the kernel timed from its receipt alone.
    private(set) var receiptClock = 0
    private(set) var strays = 0
    /// By target, why queries could not reach it, and how many.
    private(set) var unreached: [Int: [String: Int]] = [:]
    /// Rounds in which nothing could be sent to anyone, of all.
    private(set) var offlineRounds = 0
    private(set) var rounds = 0
    /// Rounds in which all were silent.
    private(set) var outageRounds = 0
    /// How often queries left.
    let rate: SendRate
    /// Rounds in which the machine slept.
    private(set) var sleptRounds = 0

    /// A query that leaves later than this is no longer where the plan wanted it.
    private static let tolerableLateness: Int64 = 5_000_000

    init(of recording: Recording) {
        rate = SendRate(of: recording)
        let all = Set(recording.samples.map(\.round)).map { recording.rounds[Int($0)] }
        rounds = all.count
        outageRounds = all.count { $0.marks.contains(.outage) }
        sleptRounds = all.count { $0.marks.contains(.suspended) }
        var offline: Set<Int32> = []
        for sample in recording.samples {
            // How late its queries are, and by which clock, is the sleep's doing.
            if recording.round(of: sample)?.marks.contains(.suspended) == true { continue }
            switch sample.observation.outcome {
            case .offline: offline.insert(sample.round)
            case .blocked: break
            default: note(sample.observation)
            }
            if sample.observation.outcome == .unreachable {
                let reason = sample.observation.extras?.detail ?? ""
                unreached[Int(sample.target), default: [:]][reason, default: 0] += 1
            }
        }
        offlineRounds = offline.count
    }

    private mutating func note(_ observation: Observation) {
        sent += 1
        if observation.lateness > Self.tolerableLateness { late += 1 }
        greatestLateness = max(greatestLateness, observation.lateness)
        if observation.roundTrip != nil {
            timed += 1
            if observation.clock == .user { userClock += 1 }
            if observation.clock == .kernelReceive { receiptClock += 1 }
        }
        if observation.flags.contains(.strays) { strays += 1 }
    }
}
