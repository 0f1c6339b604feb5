package import Samples
package import Statistics

extension NoticeRules {
    /// The minimum time between two notices about one error budget: the window of the longer rule.
    static let budgetPause = Duration.seconds(6 * 3600)

    /// Returns notices about resolvers that use up the error budget of `objective` too fast according to
    /// `rules`, which are sorted with the fastest first. `rounds` are the rounds per resolver, in order.
    package func burning(
        _ objective: ServiceObjective,
        _ rounds: [Recording.Target: [ObjectiveRound]],
        by rules: [BurnRule]
    ) -> [Notice] {
        let targets = rounds.keys.sorted {
            ($0.label, $0.transportOrder, $0.endpoint, $0.series.order)
                < ($1.label, $1.transportOrder, $1.endpoint, $1.series.order)
        }
        return zip(targets, targets.names).compactMap { target, name in
            let found = rules.lazy.compactMap { $0.burn(of: objective, in: rounds[target] ?? []) }
            guard let burn = found.first,
                mayTell(.budgetBurning, of: target, pause: Self.budgetPause)
            else { return nil }
            return Notice(
                kind: .budgetBurning,
                target: target,
                name: name,
                since: Timestamp(nanoseconds: burn.long.start),
                reason: .burn(burn, of: objective)
            )
        }
    }
}
