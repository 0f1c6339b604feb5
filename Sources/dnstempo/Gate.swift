import Catalogue
import Reports

/// The conditions of --fail-if: read before anything is sent, and held against the result.
struct Gate {
    let conditions: [FailCondition]
    private var findings: [String] = []

    init(_ texts: [String]) throws {
        conditions = try texts.map { text in
            do throws(FailConditionError) { return try FailCondition(parsing: text) } catch {
                throw Failure(.usage, "--fail-if \(error.description)")
            }
        }
    }

    /// Checks that there is what the conditions are about.
    func check(_ labels: [String], baseline: String?) throws {
        for condition in conditions {
            if condition.metric == .slower, baseline == nil {
                throw Failure(
                    .usage,
                    "--fail-if '\(condition.text)': there is no baseline; name one with --baseline"
                )
            }
            guard let label = condition.resolver, !labels.contains(label) else { continue }
            throw Failure(
                .usage,
                "--fail-if '\(condition.text)': '\(label)' is not among the resolvers"
                    + NearestName.question(label, among: labels)
            )
        }
    }

    /// Holds the conditions against a comparison.
    mutating func hold(_ report: ComparisonReport, _ evidence: [SeriesEvidence]) {
        hold(report.findings(of: conditions, evidence: evidence))
    }

    /// Takes in which conditions hold, a sentence each.
    mutating func hold(_ sentences: [String]) { findings += sentences }

    /// Throws where a condition holds.
    func pass() throws {
        guard !findings.isEmpty else { return }
        throw Failure(.condition, "--fail-if " + findings.joined(separator: "; "))
    }
}
