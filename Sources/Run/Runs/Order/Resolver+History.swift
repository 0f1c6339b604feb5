import Catalogue
import Samples
import Store

extension Resolver {
    /// The number of rounds that a schedule usually has per day. A gateway that was silent for
    /// longer is probably not a resolver.
    private static let roundsOfDay = 288

    /// Whether the resolver answered in the last rounds from a place in a store. If so, its silence
    /// is important.
    func hasAnswered(in path: String, from vantage: String) -> Bool {
        let target = target(in: .cached)
        let rounds = try? Store(path: path, access: .readOnly)
            .latestResponses(from: vantage, count: Self.roundsOfDay)
        return (rounds ?? []).contains { round in
            round.resolvers.contains { $0.target.hasWay(of: target) && $0.responses > 0 }
        }
    }
}
