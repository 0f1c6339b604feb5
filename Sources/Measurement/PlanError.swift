import Catalogue

/// Why a plan cannot be carried out, and what to change.
package struct PlanError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension Plan {
    /// The most queries that one round may have: a round is held in memory.
    private static let largestRound = 10_000_000

    /// The plan itself, if it can be carried out.
    package func validated() throws(PlanError) -> Plan {
        try validateQueries()
        try Self.validate("--rate", rate)
        try Self.validate("--total-rate", totalRate)
        try Self.validate("the rate to a zone,", zoneRate)
        guard timeout > .zero, timeout <= .seconds(3600) else {
            throw PlanError(
                "--timeout \(DurationText.format(timeout)): give a time above 0 and up to an hour, "
                    + "as in 5s"
            )
        }
        guard interval >= .zero, interval <= .seconds(366 * 86_400) else {
            throw PlanError(
                "--interval \(DurationText.format(interval)): give a time from 0 to 366d, as in 30s"
            )
        }
        guard (1...Int(Int32.max)).contains(rounds) else {
            throw PlanError("--rounds \(rounds): give a number from 1 to \(Int32.max)")
        }
        guard (0...100).contains(warmup) else {
            throw PlanError("--warmup \(warmup): give a number from 0 to 100")
        }
        guard estimatedSeconds <= Self.longestSeconds else {
            throw PlanError(
                "The plan would last more than 100 years: raise --rate and --total-rate, "
                    + "or take fewer rounds"
            )
        }
        return self
    }

    private func validateQueries() throws(PlanError) {
        guard !targets.isEmpty else { throw PlanError("There is no resolver to ask: name one") }
        guard targetGroups.count == targets.count else {
            throw PlanError(
                "\(targetGroups.count) addresses were given for \(targets.count) resolvers"
            )
        }
        guard !questions.isEmpty else {
            throw PlanError("There is nothing to ask for: name a domain with --domain")
        }
        guard zoneCount > 0 || !targets.contains(where: { $0.series == .uncached }) else {
            throw PlanError("There is no zone for uncached names: name one with --zone")
        }
        let (product, overflow) = targets.count.multipliedReportingOverflow(by: questions.count)
        guard !overflow, product <= Self.largestRound else {
            throw PlanError(
                "\(targets.count) resolvers and \(questions.count) questions are more than "
                    + "\(Self.largestRound) queries a round: take fewer"
            )
        }
    }

    private static func validate(_ option: String, _ rate: Double) throws(PlanError) {
        guard rate.isFinite, rate > 0 else {
            throw PlanError("\(option) \(rate): give the queries per second, a number above 0")
        }
    }
}
