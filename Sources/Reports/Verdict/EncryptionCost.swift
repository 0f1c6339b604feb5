import Catalogue
import Measurement
import Statistics

/// What it costs to ask one resolver over an encrypted transport rather than over a plain one.
struct EncryptionCost {
    let label: String
    /// Transports, as the recording names them.
    let plain: String
    let encrypted: String
    let series: Series
    /// Of the queries on a connection that is kept; the plain transport is the baseline.
    let comparison: Comparison
    /// Rounds that a verdict takes.
    let roundsNeeded: Int
    let connections: OpenedConnections

    /// By how much an answer over the encrypted transport is later, in milliseconds.
    var added: Double? { comparison.medianDifference.map { -$0 } }

    /// The interval of ``added``.
    var addedInterval: DifferenceInterval {
        DifferenceInterval(
            lower: comparison.interval.upper.map { -$0 },
            upper: comparison.interval.lower.map { -$0 }
        )
    }
}

extension EncryptionCost {
    /// Of every resolver that was measured both ways, in the order of the recording.
    static func all(of report: ComparisonReport) -> [EncryptionCost] {
        let recording = report.recording
        guard report.context.rules.unit == .round,
            let evidence = report.evidence.first(where: { !$0.encryption.isEmpty })
        else { return [] }
        return evidence.encryption.map { pair in
            let target = recording.targets[pair.encrypted]
            return EncryptionCost(
                label: target.label,
                plain: recording.targets[pair.plain].transport,
                encrypted: target.transport,
                series: evidence.series,
                comparison: pair.comparison,
                roundsNeeded: report.context.rules.minimumRounds,
                connections: OpenedConnections(of: target, in: recording)
            )
        }
    }
}

/// The connections that were opened to one resolver over one transport.
struct OpenedConnections {
    /// From the beginning of each connection to its first answer, in milliseconds.
    private(set) var firstAnswers: [Double] = []
    /// Of those, so many went on with an earlier session.
    private(set) var resumed = 0
    /// The times of queries on connections that stood already, in milliseconds.
    private var later: [Double] = []
    /// Queries that were answered on connections that are kept, and those connections as far as
    /// they were opened while it was measured.
    private var carried = 0
    private var opened = 0

    init(of target: Recording.Target, in recording: Recording) {
        let isSame = recording.targets.map {
            $0.label == target.label && $0.transport == target.transport
        }
        for sample in recording.samples
        where recording.targets.indices.contains(Int(sample.target)) && isSame[Int(sample.target)] {
            let series = recording.targets[Int(sample.target)].series
            take(sample.observation, isKept: series != .first)
        }
    }

    private mutating func take(_ observation: Observation, isKept: Bool) {
        guard let use = observation.extras?.connection,
            let time = observation.answerTime(in: .first)
        else { return }
        if isKept { carried += 1 }
        guard use != .reused else { return later.append(time) }
        if isKept { opened += 1 }
        if use == .resumed || use == .early { resumed += 1 }
        firstAnswers.append(time)
    }

    /// What one costs: by how much its first answer takes longer than later ones, each at the median,
    /// in milliseconds.
    var cost: Double? {
        guard let first = Self.median(firstAnswers), let later = Self.median(later) else {
            return nil
        }
        return max(0, first - later)
    }

    /// Queries that one of the kept connections carried, in the mean. One that the warm-up opened
    /// counts as one.
    var queriesPerConnection: Double? {
        carried > 0 ? Double(carried) / Double(max(1, opened)) : nil
    }

    var areMostlyResumed: Bool { resumed * 2 > firstAnswers.count }

    /// The median of the first answers, in milliseconds.
    var firstAnswer: Double? { Self.median(firstAnswers) }

    private static func median(_ times: [Double]) -> Double? {
        times.isEmpty ? nil : times.sorted()[(times.count - 1) / 2]
    }
}

extension [Recording.Target] {
    /// Each encrypted target with the plain one of its resolver, over UDP if there is one.
    var transportPairs: [(plain: Int, encrypted: Int)] {
        indices.compactMap { encrypted in
            guard self[encrypted].isEncrypted else { return nil }
            let plain = indices.filter {
                self[$0].label == self[encrypted].label && !self[$0].isEncrypted
            }
            let best = plain.first { self[$0].transport == TransportKind.udp.rawValue }
            return (best ?? plain.first).map { ($0, encrypted) }
        }
    }
}

extension Recording.Target {
    var isEncrypted: Bool { TransportKind(rawValue: transport)?.isEncrypted == true }
}
