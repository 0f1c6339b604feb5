public import DNSWire

/// When to ask whom for what, fixed by a seed before the first query leaves.
///
/// Send times do not depend on replies: a slow resolver cannot thin out its own samples
/// (coordinated omission), nor delay another's.
public struct Plan: Hashable, Sendable {
    public var targets: [Recording.Target]
    /// For each target the number of the address that it shares: all targets of one group together
    /// are asked at no more than ``rate``.
    public var targetGroups: [Int]
    public var questions: [Question]
    /// Counted rounds; each asks every target every question once.
    public var rounds = 10
    /// From start to start of rounds, where the pace does not need longer.
    public var interval = Duration.zero
    public var timeout = Duration.seconds(5)
    /// At most so many queries per second to one address, on average over a block.
    public var rate = Pace.polite.rate
    /// At most so many queries per second to all, on average over a block.
    public var totalRate = Pace.polite.totalRate
    /// Rounds before the first that is counted, at the same pace.
    public var warmup = 1
    public var seed: UInt64 = 0

    public init(targets: [Recording.Target], targetGroups: [Int], questions: [Question]) {
        self.targets = targets
        self.targetGroups = targetGroups
        self.questions = questions
    }

    /// Counted rounds are numbered from 1 up; those of the warm-up end at 0.
    public var roundNumbers: Range<Int> {
        let most = Int(Int32.max)
        return (1 - min(max(0, warmup), most))..<(min(max(0, rounds), most) + 1)
    }

    public var probesPerRound: Int { targets.count * questions.count }

    /// The time that one question takes to go to every target: as long as the pace needs.
    public var blockLength: Duration { Self.duration(ofSeconds: blockSeconds) }

    /// The time in which the queries of one round are sent.
    public var roundLength: Duration {
        Self.duration(ofSeconds: blockSeconds * Double(questions.count))
    }

    /// From start to start of counted rounds.
    public var period: Duration { max(interval, roundLength) }

    /// From the start until the last query is sent, at the latest.
    public var estimatedDuration: Duration {
        Self.duration(ofSeconds: estimatedSeconds)
    }

    /// When round `number` starts, from the start of the run.
    public func start(ofRound number: Int) -> Duration {
        let warmups = Double(max(0, warmup))
        let seconds =
            number < 1
            ? (Double(number) - 1 + warmups) * warmupPeriodSeconds
            : warmups * warmupPeriodSeconds + Double(number - 1) * period.inSeconds
        return Self.duration(ofSeconds: seconds)
    }

    /// The plan with as many rounds as start before `duration` has passed since the first counted
    /// one, at least one.
    public func lasting(_ duration: Duration) -> Plan {
        var plan = self
        let rounds = (duration.inSeconds / max(period.inSeconds, 1e-9)).rounded(.up)
        plan.rounds = Int(min(max(rounds, 1), Double(Int32.max)))
        return plan
    }

    var estimatedSeconds: Double {
        Double(max(0, warmup)) * warmupPeriodSeconds
            + Double(max(0, rounds - 1)) * max(interval.inSeconds, roundSeconds) + roundSeconds
    }

    var blockSeconds: Double {
        var sizes: [Int: Int] = [:]
        for group in targetGroups { sizes[group, default: 0] += 1 }
        let largest = Double(sizes.values.max() ?? 0)
        return max(Double(targets.count) / totalRate, largest / rate)
    }

    private var roundSeconds: Double { blockSeconds * Double(questions.count) }

    /// A second warm-up tells by its TTL whether the cache ages it, so it comes over a second later.
    private var warmupPeriodSeconds: Double { max(roundSeconds, warmup > 1 ? 1.1 : 0) }

    /// Held within what a run may last, so that no plan overflows.
    private static func duration(ofSeconds seconds: Double) -> Duration {
        seconds > 0 ? .nanoseconds(Int64(min(seconds, longestSeconds) * 1e9)) : .zero
    }

    /// A hundred years.
    static let longestSeconds = 100 * 365.25 * 86_400
}
