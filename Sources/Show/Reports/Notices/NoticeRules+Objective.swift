import Analysis
package import Samples
package import Statistics

extension NoticeRules {
    /// Least time between two notices of one error budget: that of the longer rule.
    static let budgetPause = Duration.seconds(6 * 3600)

    /// Resolvers that use up the error budget of `objective` too fast, as `rules` say, the fastest
    /// first; `rounds` are those of each, in their order.
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
            return notice(of: target, named: name, objective, burn)
        }
    }

    private func notice(
        of target: Recording.Target,
        named name: String,
        _ objective: ServiceObjective,
        _ burn: BudgetBurn
    ) -> Notice {
        func said(_ window: ObjectiveRound) -> String {
            "\(window.count.failures) of \(window.count.queries) queries since "
                + clock.text(window.moment)
        }
        return Notice(
            kind: .budgetBurning,
            target: target,
            since: burn.long.moment,
            title: "\(name) uses up its error budget",
            text:
                "\(name) uses up the error budget of \(objective) \(burn.rate.fixed(1)) times as fast "
                + "as it allows: late or failed were \(said(burn.long)), and \(said(burn.short)).",
            figures: [
                "objective": .string(objective.description),
                "burn_rate": .rate(burn.rate),
                "threshold": .rate(burn.rule.rate),
                "long": figures(burn.long, of: burn.rule.long),
                "short": figures(burn.short, of: burn.rule.short),
            ]
        )
    }

    private func figures(_ window: ObjectiveRound, of length: Double) -> JSONValue {
        [
            "window_s": .number(length, least: 0, most: 3),
            "since": .moment(window.moment),
            "queries": .integer(window.count.queries),
            "within": .integer(window.count.within),
        ]
    }
}

extension ObjectiveRound {
    fileprivate var moment: Timestamp { Timestamp(nanoseconds: start) }
}
