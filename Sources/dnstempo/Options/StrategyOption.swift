import ArgumentParser
import Catalogue

struct StrategyOption: ParsableArguments {
    @Flag(
        name: .customLong("strategies"),
        help: "Predict races, hedges, failover and equal shares of the resolvers."
    )
    var isWanted = false

    /// So many rounds tell of a strategy that saves one slow look-up in twenty as a rule; one that
    /// saves fewer takes more.
    private static let rounds = 60

    /// Where `options` say nothing of how long a run is, it is as long as strategies need: what is
    /// known of the resolvers by then says nothing of those.
    func lengthen(_ options: inout RunOptions) {
        let isTold =
            options[.rounds] != nil || options[.duration] != nil || options[.maxRounds] != nil
            || options[.untilSure] == true
        if isWanted, !isTold { options[.rounds] = Self.rounds }
    }
}
