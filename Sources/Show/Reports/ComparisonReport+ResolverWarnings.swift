import Analysis
import DNSWire
import Samples

extension [Warning] {
    /// Adds a note for each target that has a value.
    fileprivate mutating func add<Value>(
        _ kind: NoteKind,
        ofEach values: [Int: Value],
        _ names: [String],
        _ observation: (_ name: String, Value) -> String,
        _ remedy: (_ name: String) -> String?
    ) {
        for (target, value) in values.sorted(by: { $0.key < $1.key })
        where names.indices.contains(target) {
            append(Warning(kind, observation(names[target], value), remedy(names[target])))
        }
    }
}

extension ComparisonReport {
    /// Notes on single resolvers, and on the clock and the caches.
    func ofResolvers(_ names: [String]) -> [Warning] {
        var warnings: [Warning] = []
        let steps = quality.clockSteps
        warnings.add(.clockStep, if: steps > 0 || context.clockStep != nil) {
            let time = steps == 0 ? "between queries" : "during \(steps.of("query", "queries"))"
            return "The system clock was set during the run, \(time)."
        } _: {
            "Let the time service adjust the clock gradually."
        }
        // Some names expire during a run. Up to one miss in twenty answers is therefore not a cold
        // cache.
        warnings.add(.coldCache, if: 20 * quality.misses > quality.knownStates) {
            "\(quality.misses) of \(quality.knownStates.of("answer", "answers")) for names that "
                + "should be cached were cache misses."
        } _: {
            let names = "uery more popular names, with \(context.option("--domains"))."
            return remedy(isOfSchedule ? "Q\(names)" : "Repeat the run, or q\(names)")
        }
        warnings.add(.rateLimited, ofEach: quality.limited, names) { name, limit in
            "\(name) \(limit.words)."
        } _: { _ in
            "Lower the rate with \(context.option("--rate"))."
        }
        warnings.add(.siteChanged, ofEach: quality.sites, names) { name, sites in
            "\(name) was reached at \(sites) sites."
        } _: { _ in
            context.command == nil
                ? "Use dnstempo report --by site."
                : "See the site of each answer with --samples FILE."
        }
        for row in rows where row.mayDropSiteQueries && isOfSchedule {
            warnings.add(.nsid) {
                "\(row.said) answered no query of sample or watch, which request its name (NSID)."
            } _: {
                "If it answers dnstempo compare, add --no-nsid."
            }
        }
        for pair in sharedCaches {
            warnings.add(.sharedCache) {
                "\(pair.map { names[$0] }.joined(separator: " and ")) seem to share one cache."
            } _: {
                "Count them as one resolver, and choose another as the fallback."
            }
        }
        return warnings + ofFlags(names)
    }

    /// Notes on the flags of a resolver's queries.
    private func ofFlags(_ names: [String]) -> [Warning] {
        var warnings: [Warning] = []
        func targets(_ flag: SampleFlags) -> [Int: Int] { quality.flagged[flag] ?? [:] }
        warnings.add(.caseChanged, ofEach: targets(.caseChanged), names) { name, count in
            "\(name) changed the letter case of the name in \(count.of("response", "responses"))."
        } _: { _ in
            "Omit \(context.option("--0x20"))."
        }
        warnings.add(.trailingBytes, ofEach: targets(.trailingBytes), names) { name, count in
            "\(name) sent bytes after the last record in \(count.of("response", "responses"))."
        } _: { name in
            "Report it to the operator of \(name)."
        }
        warnings.add(.earlyRefused, ofEach: targets(.earlyRefused), names) { name, count in
            "\(name) refused early data in \(count.of("query", "queries"))."
        } _: { name in
            "Report it to the operator of \(name), or measure with --connections fresh."
        }
        return warnings
    }

    /// Pairs of targets that seem to share a cache.
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
    /// Whether every query either timed out or got an error that some servers return for EDNS
    /// options.
    fileprivate var mayDropSiteQueries: Bool {
        let codes: [ResponseCode] = [.formErr, .notImp, .badVersion]
        let refusals = codes.reduce(0) { $0 + (counts.responseCodes[$1.description] ?? 0) }
        return counts.measured > 0 && counts[.timeout] + refusals == counts.measured
    }
}
