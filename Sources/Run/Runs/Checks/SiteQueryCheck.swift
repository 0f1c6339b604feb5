import Catalogue
import DNSWire
import Measurement
import Samples
import Synchronization
import Transports

/// Finds resolvers that answer a query only without the NSID option, which `sample`, `watch` and
/// `serve` add. Later queries to these resolvers do not have the option.
package final class SiteQueryCheck: Sendable {
    private let order: RunOrder
    /// The labels of resolvers that were checked: each is checked once.
    private let checked = Mutex<Set<String>>([])
    /// The labels of resolvers that answer only without the option.
    private let refusing = Mutex<Set<String>>([])

    private static let longestGap = Duration.seconds(5)

    init(_ order: RunOrder) {
        self.order = order
    }

    /// Whether the user requested the option, which is then in every query.
    private var isAskedFor: Bool { order.options[.nsid] == true }

    /// `query`, without the option if `resolver` answers only such a query.
    func query(_ query: Query, to resolver: Resolver) -> Query {
        guard query.options.nsid, refusing.withLock({ $0.contains(resolver.label) }) else {
            return query
        }
        return Self.withoutOption(query) ?? query
    }

    private static func withoutOption(_ query: Query) -> Query? {
        var options = query.options
        options.nsid = false
        return try? Query(query.question, options: options)
    }

    /// Checks the resolvers that failed all queries of `round`. Returns a sentence for each
    /// resolver that drops or refuses the option.
    ///
    /// A resolver may fail once by chance. It is named only if it answers the query without the
    /// option, and then fails the same query with the option again.
    package func sentences(after round: MeasuredRound?) async -> [String] {
        guard let round, let asked = order.queries.first?(), asked.options.nsid else {
            return []
        }
        guard let plain = Self.withoutOption(asked) else { return [] }
        let suspects = checked.withLock { checked in
            round.suspects.filter {
                order.targetResolvers.indices.contains($0)
                    && checked.insert(order.targetResolvers[$0].label).inserted
            }
        }
        guard !suspects.isEmpty else { return [] }
        let pace = HandshakePace(order.plan, places: suspects.count)
        // At a slow pace the check would delay the round.
        guard pace.gap <= Self.longestGap else { return [] }
        do { try await Task.sleep(for: pace.gap) } catch { return [] }
        let found = await suspects.readings(every: pace.step) { [order] target in
            let resolver = order.targetResolvers[target]
            let series = order.plan.targets[target].series
            let transport = order.transports.transport(to: resolver, in: series)
            let timeout = order.plan.timeout
            let without = await transport.exchange(plain, timeout: timeout)
            guard without.result.isAnswer else { return false }
            do { try await Task.sleep(for: pace.gap) } catch { return false }
            let with = await transport.exchange(asked, timeout: timeout)
            return with.result != .cancelled && !with.result.isAnswer
        }
        let labels = suspects.filter { found[$0] == true }
            .map { order.targetResolvers[$0].label }
        if !isAskedFor { refusing.withLock { $0.formUnion(labels) } }
        let remedy =
            isAskedFor
            ? "leave out --nsid" : "later queries to it have none; add --no-nsid for all"
        return labels.map { label in
            "\(label) answers only queries without NSID, which this command requests: \(remedy)"
        }
    }
}

extension MeasuredRound {
    /// The first target of each resolver that failed all of its queries for a reason that the
    /// option can cause.
    fileprivate var suspects: [Int] {
        let samples = Dictionary(grouping: recording.samples) { $0.target }
        return samples.filter { _, samples in
            samples.allSatisfy {
                [.timeout, .failed, .malformed].contains($0.observation.outcome)
            }
        }.keys.map(Int.init).sorted()
    }
}

extension QueryResult {
    /// Whether the response has an answer, or denies the name.
    fileprivate var isAnswer: Bool {
        guard let code = response?.code else { return false }
        return code == .noError || code == .nxDomain
    }
}
