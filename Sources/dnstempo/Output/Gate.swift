import Catalogue
import Reports

/// The conditions of --fail-if: read before anything is sent, and held against the result.
struct Gate {
    let conditions: [FailCondition]

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

    /// Throws where a condition holds of what was measured.
    func pass(_ report: some GatedReport) throws {
        let findings = report.findings(of: conditions)
        guard !findings.isEmpty else { return }
        throw Failure(.condition, "--fail-if " + findings.joined(separator: "; "))
    }
}
