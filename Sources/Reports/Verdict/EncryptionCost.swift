import Catalogue
import Samples
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
    /// Rounds, or hours, that a verdict takes.
    let roundsNeeded: Int
    let connections: OpenedConnections
    /// How far a difference may be off because the times are not known exactly: hours know their
    /// medians within 1 %.
    let blur: Double

    /// By how much an answer over the encrypted transport is later, in milliseconds.
    var added: Double? { comparison.medianDifference.map { -$0 } }

    /// The interval of ``added``.
    var addedInterval: DifferenceInterval {
        DifferenceInterval(
            lower: comparison.interval.upper.map { -$0 - blur },
            upper: comparison.interval.lower.map { -$0 + blur }
        )
    }
}

extension EncryptionCost {
    /// Of every resolver that was measured both ways, in the order of the recording.
    static func all(of report: ComparisonReport) -> [EncryptionCost] {
        all(
            report.evidence,
            of: report.recording.targets,
            rows: report.rows,
            rules: report.context.rules
        )
    }

    /// The same of `targets` that `evidence` is of; `rows` have the connections.
    static func all(
        _ evidence: [SeriesEvidence],
        of targets: [Recording.Target],
        rows: [ResolverRow],
        rules: ComparisonRules
    ) -> [EncryptionCost] {
        guard let evidence = evidence.first(where: { !$0.encryption.isEmpty }) else { return [] }
        return evidence.encryption.map { pair in
            let target = targets[pair.encrypted]
            let medians = [pair.plain, pair.encrypted].map { index in
                rows.first { $0.target == targets[index] }?.latency.median ?? 0
            }
            return EncryptionCost(
                label: target.label,
                plain: targets[pair.plain].transport,
                encrypted: target.transport,
                series: evidence.series,
                comparison: pair.comparison,
                roundsNeeded: rules.minimumRounds,
                connections: OpenedConnections(of: target, in: rows),
                blur: rules.unit == .hour ? 0.01 * (medians[0] + medians[1]) : 0
            )
        }
    }
}

/// The connections that were opened to one resolver over one transport.
struct OpenedConnections {
    /// From the beginning of each connection to its first answer.
    private var openings = SeenTimes()
    /// Of queries on connections that stood already.
    private var later = SeenTimes()
    /// Connections that went on with an earlier session.
    private(set) var resumed = 0
    /// Queries that were answered on connections that are kept, and those connections as far as
    /// they were opened while it was measured.
    private var carried = 0
    private var opened = 0

    init(of target: Recording.Target, in rows: [ResolverRow]) {
        for row in rows
        where row.target.label == target.label && row.target.transport == target.transport {
            guard let tally = row.connections?.tally else { continue }
            openings.merge(tally.firstAnswers)
            later.merge(tally.later)
            let uses = tally.uses
            resumed += (uses[.resumed] ?? 0) + (uses[.early] ?? 0)
            guard row.target.series != .first else { continue }
            carried += uses.values.reduce(0, +)
            opened += uses.filter { $0.key != .reused }.values.reduce(0, +)
        }
    }

    var count: Int { openings.count }

    /// What one costs: by how much its first answer takes longer than later ones, each at the median,
    /// in milliseconds.
    var cost: Double? {
        guard let first = firstAnswer, let later = later.median else { return nil }
        return max(0, first - later)
    }

    /// Queries that one of the kept connections carried, in the mean. One that the warm-up opened
    /// counts as one.
    var queriesPerConnection: Double? {
        carried > 0 ? Double(carried) / Double(max(1, opened)) : nil
    }

    var areMostlyResumed: Bool { resumed * 2 > count }

    /// The median of the first answers, in milliseconds.
    var firstAnswer: Double? { openings.median }
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
