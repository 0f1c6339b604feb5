/// A way to look up a name with one or more resolvers. Its times are predicted from the times of each
/// resolver for the same name at the same moment.
///
/// Resolvers are identified by their index in a row of times, in milliseconds. A time is infinite without an
/// answer, and NaN if the resolver was not asked.
package enum Strategy: Hashable, Sendable {
    /// One resolver only.
    case alone(Int)
    /// All resolvers at once; the first answer counts.
    case race([Int])
    /// The second resolver is asked if the first has not answered within `after` milliseconds. A client that
    /// `listens` also accepts a late answer of the first. Other clients, such as glibc, then ignore the
    /// first.
    case fallback(Int, Int, after: Double, listens: Bool)
    /// One resolver per look-up, all equally often, regardless of their speed.
    case shares([Int])
    /// One resolver per look-up, with a frequency of its entries in the list, which are its wins in a race. A
    /// forwarder does so if it occasionally asks all, and then only the winner until the next race.
    case winners([Int])

    /// The resolvers that the strategy asks, each once.
    package var members: [Int] {
        switch self {
        case .alone(let resolver): [resolver]
        case .race(let resolvers), .shares(let resolvers): resolvers
        case .winners(let resolvers): Set(resolvers).sorted()
        case .fallback(let first, let second, _, _): [first, second]
        }
    }

    package var isRace: Bool {
        if case .race = self { true } else { false }
    }

    /// Returns the possible times of a look-up, all equally likely.
    package func times(_ row: [Double]) -> [Double] {
        switch self {
        case .alone(let resolver): [row[resolver]]
        case .race(let resolvers): [resolvers.map { row[$0] }.min() ?? .infinity]
        case .fallback(let first, let second, let wait, let listens):
            [
                row[first] <= wait
                    ? row[first] : min(listens ? row[first] : .infinity, wait + row[second])
            ]
        case .shares(let resolvers), .winners(let resolvers): resolvers.map { row[$0] }
        }
    }

    /// Returns the number of queries per look-up. For winners, the races are excluded.
    package func queries(_ row: [Double]) -> Int {
        switch self {
        case .alone, .shares, .winners: 1
        case .race(let resolvers): resolvers.count
        case .fallback(let first, _, let wait, _): row[first] > wait ? 2 : 1
        }
    }

    /// Returns the resolvers with the first answer, several if their times are equal. Empty without an
    /// answer, and for strategies without competition.
    package func winners(_ row: [Double]) -> [Int] {
        let arrivals: [(resolver: Int, time: Double)] =
            switch self {
            case .alone, .shares, .winners: []
            case .race(let resolvers): resolvers.map { ($0, row[$0]) }
            case .fallback(let first, let second, let wait, let listens):
                row[first] <= wait
                    ? [(first, row[first])]
                    : (listens ? [(first, row[first])] : []) + [(second, wait + row[second])]
            }
        guard let best = arrivals.map(\.time).min(), best.isFinite else { return [] }
        return arrivals.filter { $0.time == best }.map(\.resolver)
    }

    /// Whether the strategy is never slower than `baseline` alone in any row.
    package func contains(_ baseline: Int) -> Bool {
        switch self {
        case .alone(let resolver): resolver == baseline
        case .race(let resolvers): resolvers.contains(baseline)
        case .fallback(let first, _, _, let listens): listens && first == baseline
        case .shares(let resolvers), .winners(let resolvers): Set(resolvers) == [baseline]
        }
    }
}
