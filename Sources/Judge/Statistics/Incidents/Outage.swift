/// A time without any answer from one resolver, or from all of them (method of incidents, §4). It follows
/// from a rule on rounds; no test is involved.
package struct Outage: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        /// All resolvers that were asked, at least two: the own line or the own machine.
        case line
        /// The resolver with this number.
        case resolver(Int)
    }

    /// One run of rounds without an answer.
    package struct Interruption: Hashable, Sendable {
        /// The first round, in nanoseconds since 1970.
        package let start: Int64
        /// The first round after the run. If the next round is missing, it is one interval after the last
        /// round of the run. `nil` while the run lasts.
        package let end: Int64?
    }

    package let scope: Scope
    /// The first round without an answer, in nanoseconds since 1970. The outage is established with it.
    package let start: Int64
    /// The end of the last interruption; `nil` while it lasts.
    package private(set) var end: Int64?
    /// The interruptions in order of time; never empty.
    package private(set) var interruptions: [Interruption]
    /// The rounds of the interruptions, and their queries.
    package private(set) var rounds: Int
    package private(set) var queries: Int

    init(scope: Scope, _ interruption: Interruption, rounds: Int, queries: Int) {
        (self.scope, self.rounds, self.queries) = (scope, rounds, queries)
        (interruptions, start, end) = ([interruption], interruption.start, interruption.end)
    }
}

extension Outage {
    /// Nanoseconds: a day.
    private static let apart: Int64 = 86_400_000_000_000

    /// Returns the outages in order of time. Outages of one scope that are at most a day apart are one outage
    /// with several interruptions, because a list of each would be long.
    package static func merged(_ outages: [Outage]) -> [Outage] {
        var merged: [Outage] = []
        var last: [Scope: Int] = [:]
        for outage in outages.sorted(by: isEarlier) {
            guard let index = last[outage.scope], merged[index].isNear(outage) else {
                last[outage.scope] = merged.count
                merged.append(outage)
                continue
            }
            merged[index].append(outage)
        }
        return merged
    }

    private func isNear(_ later: Outage) -> Bool {
        guard let end else { return false }
        let (gap, overflow) = later.start.subtractingReportingOverflow(end)
        return !overflow && gap <= Self.apart
    }

    private mutating func append(_ later: Outage) {
        interruptions += later.interruptions
        rounds += later.rounds
        queries += later.queries
        end = later.end
    }

    /// Outages of resolvers that begin together are in the order of the resolvers.
    private static func isEarlier(_ left: Outage, _ right: Outage) -> Bool {
        (left.start, left.order) < (right.start, right.order)
    }

    private var order: Int {
        switch scope {
        case .line: .max
        case .resolver(let number): number
        }
    }
}
