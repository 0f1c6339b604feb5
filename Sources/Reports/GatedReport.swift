import Samples

/// A report that conditions are held against.
package protocol GatedReport: HistoryReport {
    /// Those of its resolvers.
    var labels: [String] { get }

    /// What is looked at of each.
    var figures: [ResolverRow] { get }

    /// Whether a resolver is slower than what it is compared with.
    func isSlower(_ row: ResolverRow) -> Bool
}

extension GatedReport {
    package var labels: [String] { figures.map(\.target.label) }

    /// What each of `conditions` that holds says of the resolvers.
    package func findings(of conditions: [FailCondition]) -> [String] {
        conditions.compactMap { condition in
            condition.sentence(of: condition.findings(in: figures, isSlower: isSlower))
        }
    }
}

extension WindowReport: GatedReport {
    package var figures: [ResolverRow] { rows.map(\.figures) }

    /// Nothing is compared.
    package func isSlower(_ row: ResolverRow) -> Bool { false }
}

extension AgainstReport: GatedReport {
    package var figures: [ResolverRow] { rows.compactMap(\.now) }

    /// Where the interval of now − before is above zero.
    package func isSlower(_ row: ResolverRow) -> Bool {
        rows.contains { $0.now == row && ($0.interval?.lowerBound ?? 0) > 0 }
    }
}

extension RunsReport: GatedReport {
    package var figures: [ResolverRow] { rows.compactMap(\.now) }

    package func isSlower(_ row: ResolverRow) -> Bool {
        rows.contains { $0.now == row && $0.comparison?.saysSlower == true }
    }
}

extension ComparisonReport: GatedReport {
    package var figures: [ResolverRow] { rows }

    package func isSlower(_ row: ResolverRow) -> Bool {
        evidence.flatMap(\.candidates).contains {
            $0.comparison.saysSlower && recording.targets[$0.target] == row.target
        }
    }
}
