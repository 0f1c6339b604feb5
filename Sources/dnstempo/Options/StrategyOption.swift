import ArgumentParser

struct StrategyOption: ParsableArguments {
    @Flag(
        name: .customLong("strategies"),
        help: "Predict races, hedges, failover and equal shares of the resolvers."
    )
    var isWanted = false
}
