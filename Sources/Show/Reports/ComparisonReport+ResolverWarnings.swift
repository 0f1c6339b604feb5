import Analysis
import DNSWire
import Samples

extension [Warning] {
    /// Adds a warning on each target that has a value.
    fileprivate mutating func add<Value>(
        _ code: String,
        ofEach values: [Int: Value],
        _ names: [String],
        _ text: (_ name: String, Value) -> String
    ) {
        for (target, value) in values.sorted(by: { $0.key < $1.key })
        where names.indices.contains(target) {
            add(code) { text(names[target], value) }
        }
    }
}

extension ComparisonReport {
    /// Warnings on single resolvers, and on the clock and the caches that all of them met.
    func ofResolvers(_ names: [String]) -> [Warning] {
        var warnings: [Warning] = []
        let steps = quality.clockSteps
        warnings.add("clock-step", if: steps > 0 || context.clockStep != nil) {
            steps == 0
                ? "The system clock was set during the run, between queries: round trips are right, "
                    + "times of day before and after do not match."
                : "The system clock was set during \(steps.of("query", "queries")): round trips are "
                    + "corrected for it, times of day before and after do not match."
        }
        // What expires during a run is looked up anew: one in twenty is no cold cache.
        warnings.add("cold-cache", if: 20 * quality.misses > quality.knownStates) {
            "\(quality.misses) of \(quality.knownStates.of("answer", "answers")) for names that "
                + "should be cached were cache misses"
                + remedy(
                    (isOfSchedule ? "" : "repeat it, or ")
                        + "query more popular names, with \(context.option("--domains"))"
                )
        }
        warnings.add("rate-limited", ofEach: quality.limited, names) { name, limit in
            "\(name) \(limit.words); lower it with \(context.option("--rate"))."
        }
        warnings.add("site-changed", ofEach: quality.sites, names) { name, sites in
            "\(name) was reached at \(sites) sites, so its times are of several places: "
                + (context.command == nil
                    ? "dnstempo report --by site tells them apart."
                    : "--samples FILE has the site of each answer.")
        }
        for row in rows where row.mayDropSiteQueries && isOfSchedule {
            warnings.add("nsid") {
                "\(row.said) answered no query of sample or watch, which request its name (NSID): "
                    + "if it answers dnstempo compare, add --no-nsid."
            }
        }
        for pair in sharedCaches {
            warnings.add("shared-cache") {
                "\(pair.map { names[$0] }.joined(separator: " and ")) seem to share one cache: count "
                    + "them as one resolver, and choose another as the fallback."
            }
        }
        warnings.add("case-changed", ofEach: quality.caseChanges, names) { name, count in
            "\(name) changed the letter case of the name in "
                + "\(count.of("response, which counts", "responses, which count")): do without "
                + "\(context.option("--0x20")), which does not detect forged responses there."
        }
        warnings.add("trailing-bytes", ofEach: quality.trailingBytes, names) { name, count in
            "\(name) sent bytes after the last record in "
                + "\(count.of("response, which counts", "responses, which count")) as usual: "
                + "report it to the operator of \(name), since other programs reject "
                + "such responses."
        }
        return warnings
    }

    /// Pairs of targets that seem to have one cache.
    var sharedCaches: [[Int]] {
        let labels = recording.targets.map(\.label)
        let found = labels.indices.flatMap { first in
            (row(ofTarget: first)?.found?.oneCache ?? [])
                .filter { $0 > first && labels[$0] != labels[first] }.sorted()
                .map { [first, $0] }
        }
        return quality.sharedCaches + found
    }
}

extension ResolverSummary {
    /// Whether silence, or an error that a server has for EDNS options, is all that came back.
    fileprivate var mayDropSiteQueries: Bool {
        let codes: [ResponseCode] = [.formErr, .notImp, .badVersion]
        let refusals = codes.reduce(0) { $0 + (counts.responseCodes[$1.description] ?? 0) }
        return counts.measured > 0 && counts[.timeout] + refusals == counts.measured
    }
}
