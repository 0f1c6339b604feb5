package import DNSWire

/// The number of failed queries per cause. Failures without a cause are not included.
package struct FailureCauses: Hashable, Sendable {
    private var counts: [FailureCause: Int] = [:]
    /// The number of queries whose outcome means silence, although something was received.
    package private(set) var heard = 0

    /// The maximum number of different causes that are distinguished. The values of further causes are
    /// dropped.
    package static let most = 32

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }

    /// All causes, the most frequent first.
    package var sorted: [(cause: FailureCause, count: Int)] {
        counts.sorted { ($1.value, $0.key.description) < ($0.value, $1.key.description) }
            .map { ($0.key, $0.value) }
    }

    /// The most frequent value of the most frequent kind, and the number of queries of that kind.
    package var main: (cause: FailureCause, count: Int)? {
        var kinds: [FailureCause.Kind: Int] = [:]
        for (cause, count) in counts { kinds[cause.kind, default: 0] += count }
        let first = kinds.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
        guard let first, let cause = sorted.first(where: { $0.cause.kind == first.key })?.cause
        else { return nil }
        return (cause, first.value)
    }

    /// Counts the cause of a query that ended in `outcome`.
    mutating func count(_ cause: FailureCause, of outcome: Outcome, times: Int) {
        add(cause, times)
        if cause.isHeard(in: outcome) { heard += times }
    }

    package mutating func merge(_ other: FailureCauses) {
        for (cause, count) in other.sorted { add(cause, count) }
        heard += other.heard
    }

    private mutating func add(_ cause: FailureCause, _ count: Int) {
        let isRoom = counts[cause] != nil || counts.count < Self.most
        counts[isRoom ? cause : FailureCause(cause.kind), default: 0] += count
    }
}

extension FailureCause {
    /// Whether something was received for a query with this cause, although `outcome` alone means that
    /// nothing was received.
    fileprivate func isHeard(in outcome: Outcome) -> Bool {
        switch outcome {
        case .timeout: kind != .handshake && !isOfConnecting
        case .unreachable: !isOfConnecting
        default: false
        }
    }
}
