import Catalogue
package import Failures
import Samples

extension Plan {
    /// The maximum number of queries in a round, which is kept in memory.
    private static let largestRound = 10_000_000

    /// The plan itself.
    ///
    /// - Throws: a failure if the plan cannot be executed.
    package func validated() throws(Failure) -> Plan {
        let (product, overflow) = targets.count.multipliedReportingOverflow(by: questions.count)
        try Failure.refuse([
            "There is no resolver to ask: name one": targets.isEmpty,
            "\(targetGroups.count) addresses were given for \(targets.count) resolvers":
                targetGroups.count != targets.count,
            "There is nothing to ask for: name a domain with --domain": questions.isEmpty,
            "There is no zone for uncached names: name one with --zone":
                zoneCount == 0 && targets.contains { $0.series == .uncached },
            "\(targets.count) resolvers and \(questions.count) questions are more than "
                + "\(Self.largestRound) queries per round: take fewer":
                overflow || product > Self.largestRound,
        ])
        for (option, rate) in pace.named + [("the rate to a zone,", zoneRate)] {
            if let fault = QueryRate.fault(rate, of: option) { throw .usage(fault) }
        }
        try Failure.refuse([
            "--timeout \(DurationText.format(timeout)): give a time above 0 and up to an hour, "
                + "as in 5s": timeout <= .zero || timeout > .seconds(3600),
            "--interval \(DurationText.format(interval)): give a time from 0 to 366d, as in 30s":
                interval < .zero || interval > .seconds(366 * 86_400),
            "--rounds \(rounds): give a number from 1 to \(Int32.max)":
                !(1...Int(Int32.max)).contains(rounds),
            "--warmup \(warmup): give a number from 0 to 100": !(0...100).contains(warmup),
            "The plan would last more than 100 years: raise --rate and --total-rate, or take fewer "
                + "rounds": estimatedSeconds > Self.longestSeconds,
        ])
        return self
    }
}
