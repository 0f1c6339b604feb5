import Catalogue
package import Failures
import Samples

/// Why a plan cannot be carried out, and what to change.
package struct PlanError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus { .usage }
    package let description: String

    static func unless(
        _ isMet: Bool,
        _ fault: @autoclosure () -> String
    ) throws(PlanError) {
        guard isMet else { throw PlanError(description: fault()) }
    }
}

extension Plan {
    /// The most queries that one round may have: a round is held in memory.
    private static let largestRound = 10_000_000

    /// The plan itself, if it can be carried out.
    package func validated() throws(PlanError) -> Plan {
        try validateQueries()
        for (option, rate) in pace.named + [("the rate to a zone,", zoneRate)] {
            if let fault = QueryRate.fault(rate, of: option) { throw PlanError(description: fault) }
        }
        try PlanError.unless(
            timeout > .zero && timeout <= .seconds(3600),
            "--timeout \(DurationText.format(timeout)): give a time above 0 and up to an hour, "
                + "as in 5s"
        )
        try PlanError.unless(
            interval >= .zero && interval <= .seconds(366 * 86_400),
            "--interval \(DurationText.format(interval)): give a time from 0 to 366d, as in 30s"
        )
        try PlanError.unless(
            (1...Int(Int32.max)).contains(rounds),
            "--rounds \(rounds): give a number from 1 to \(Int32.max)"
        )
        try PlanError.unless(
            (0...100).contains(warmup),
            "--warmup \(warmup): give a number from 0 to 100"
        )
        try PlanError.unless(
            estimatedSeconds <= Self.longestSeconds,
            "The plan would last more than 100 years: raise --rate and --total-rate, or take fewer "
                + "rounds"
        )
        return self
    }

    private func validateQueries() throws(PlanError) {
        try PlanError.unless(!targets.isEmpty, "There is no resolver to ask: name one")
        try PlanError.unless(
            targetGroups.count == targets.count,
            "\(targetGroups.count) addresses were given for \(targets.count) resolvers"
        )
        try PlanError.unless(
            !questions.isEmpty,
            "There is nothing to ask for: name a domain with --domain"
        )
        try PlanError.unless(
            zoneCount > 0 || !targets.contains { $0.series == .uncached },
            "There is no zone for uncached names: name one with --zone"
        )
        let (product, overflow) = targets.count.multipliedReportingOverflow(by: questions.count)
        try PlanError.unless(
            !overflow && product <= Self.largestRound,
            "\(targets.count) resolvers and \(questions.count) questions are more than "
                + "\(Self.largestRound) queries a round: take fewer"
        )
    }
}
