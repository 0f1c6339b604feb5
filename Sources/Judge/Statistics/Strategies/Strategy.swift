/// A way to look up a name with one or more resolvers, predicted from what each of them took for the
/// same name at the same moment.
///
/// Resolvers are told by their place in a row of times, in milliseconds: infinite without an answer,
/// NaN where one was not asked.
package enum Strategy: Hashable, Sendable {
    /// One resolver and no other.
    case alone(Int)
    /// All of them at once, until the first answers.
    case race([Int])
    /// The second where the first has not answered `after` so many milliseconds. Who `listens` takes a
    /// late answer of the first too; who does not is deaf to it from then on, as glibc is.
    case fallback(Int, Int, after: Double, listens: Bool)
    /// One of them for each look-up, each as often as the others, whatever they were like.
    case shares([Int])
    /// One of them for each look-up, as often as it is listed, which is as often as it wins a race: what
    /// a forwarder does that asks all now and then, and the winner alone until the next time.
    case winners([Int])

    /// Those that it asks, each once.
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

    /// The times that a look-up may take, each as likely as the others.
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

    /// The queries that a look-up costs; of winners without the races.
    package func queries(_ row: [Double]) -> Int {
        switch self {
        case .alone, .shares, .winners: 1
        case .race(let resolvers): resolvers.count
        case .fallback(let first, _, let wait, _): row[first] > wait ? 2 : 1
        }
    }

    /// The resolvers whose answer is the first, more than one where they are equal; none without an
    /// answer, and where that is not the resolvers' doing.
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

    /// Whether it takes no longer than `baseline` alone in any row.
    package func contains(_ baseline: Int) -> Bool {
        switch self {
        case .alone(let resolver): resolver == baseline
        case .race(let resolvers): resolvers.contains(baseline)
        case .fallback(let first, _, _, let listens): listens && first == baseline
        case .shares(let resolvers), .winners(let resolvers): Set(resolvers) == [baseline]
        }
    }
}
