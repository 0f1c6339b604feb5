import Analysis
import Samples
import Statistics

/// The health of a resolver over a span.
struct ResolverHealth: Hashable, Sendable {
    enum State: String, Hashable, Sendable, CaseIterable {
        case fine
        /// Slower than before, less reliable, or with fewer names in its cache, by a change that still
        /// applies.
        case slower
        case slowerTail = "slower-tail"
        case lessReliable = "less-reliable"
        case lessCached = "less-cached"
        /// Loses more than one query in a hundred, and more than one query.
        case losing
        case silent
        /// Nothing could be sent.
        case offline
        case unmeasured
    }

    let state: State
    /// The figures of its cached names, if they were queried; `nil` without queries.
    let row: ResolverSummary?
    /// The change, if the state is due to a change.
    let finding: ChangeFinding?

    init(of label: String, in report: WindowReport, changes: ChangesReport) {
        let row = report.rows.map(\.figures).filter { $0.target.label == label }
            .min { $0.target.series.order < $1.target.series.order }
        self.row = row
        guard let row, row.counts.measured > 0 else {
            finding = nil
            state = row.map { $0.counts[.offline] > 0 } ?? false ? .offline : .unmeasured
            return
        }
        let finding = Self.lasting(of: row.target, in: changes)
        self.finding = finding
        if row.counts.answered == 0 {
            state = .silent
        } else if row.counts.failureRate.isHigh {
            state = .losing
        } else if let finding {
            state =
                switch finding.change.kind.measure {
                case .median: .slower
                case .p90: .slowerTail
                case .loss: .lessReliable
                case .cache: .lessCached
                }
        } else {
            state = .fine
        }
    }

    /// The last change for the worse that no later change of its kind reversed. A change of the median also
    /// reverses a change of the p90.
    private static func lasting(
        of target: Recording.Target,
        in changes: ChangesReport
    ) -> ChangeFinding? {
        // A finding about a cache applies to every transport.
        let own = changes.findings.filter {
            $0.target == target
                || $0.change.kind.measure == .cache && $0.target.label == target.label
        }
        return [[Incident.Measure.median], [.median, .p90], [.loss], [.cache]]
            .compactMap { measures in own.last { measures.contains($0.change.kind.measure) } }
            .filter { $0.change.kind.isForTheWorse && !$0.change.isOver }
            .max { $0.change.hour < $1.change.hour }
    }

    private var noun: FailureNoun { FailureNoun(of: [row?.counts].compactMap(\.self)) }

    private var reason: FailureReason? { row.flatMap { FailureReason(of: $0) } }

    /// A clause on the span, such as `harbour was OK`.
    func words(_ name: String) -> String {
        switch state {
        case .fine, .slower, .slowerTail, .unmeasured: "\(name) was \(status)"
        case .lessReliable, .lessCached, .losing: "\(name) had \(status)"
        case .silent where noun == .loss: "\(name) did not answer"
        case .silent: "\(name) \(reason?.predicate ?? "gave no usable answer")"
        case .offline: "There was no route to any resolver"
        }
    }

    /// The state in a table.
    var status: String {
        switch state {
        case .fine: "OK"
        case .slower: "slower than before"
        case .slowerTail: "slower at p90 than before"
        case .lessReliable: "\(noun.more) than before"
        case .lessCached: "fewer names in its cache than before"
        case .losing: noun.text
        case .silent: noun == .loss ? "no answer" : reason?.label ?? "no usable answer"
        case .offline: "no route"
        case .unmeasured: "not measured"
        }
    }

    var isBad: Bool { ![.fine, .unmeasured].contains(state) }

    /// The figures of the resolver at the end of a sentence.
    var addition: String {
        guard let row, row.counts.measured > 0 else { return "" }
        let format = LatencyFormat(fitting: [row.latency.median].compactMap(\.self))
        let median = row.latency.text(row.latency.median, in: format)
        return ": median \(median), \(noun.text) \(row.counts.failureRate.description)"
    }
}
