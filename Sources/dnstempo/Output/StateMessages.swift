import History
import MQTT
import Reports
import Runs
import Samples
import Statistics
import Store

/// The messages for a broker on the state of the resolvers.
struct StateMessages: Sendable {
    let prefix: String
    /// The label of the resolver with which the others are compared.
    let inUse: String?

    /// The states of the resolvers at a place after the last round, and their announcements for Home Assistant.
    func messages(
        _ store: Store,
        at vantage: String
    ) throws -> (announcements: [Broker.Message], states: [Broker.Message]) {
        var source = HistorySource(StoreSource(StoreGroup([store])), origins: Run.Origin.usual)
        source.filter.vantages = [vantage]
        let context = try WindowContext(
            since: nil,
            until: "now",
            now: .now,
            toolVersion: Version.text
        )
        let reader = HistoryReader(source, context)
        let states = try reader.states(
            at: vantage,
            inUse: inUse,
            rules: ComparisonRules(margin: .usualMargin)
        )
        let starts = try reader.rounds(context.window).map(\.started).sorted().suffix(10)
        let home = HomeAssistant(prefix: prefix, interval: starts.usualGap.map { .seconds($0) })
        return (
            states.flatMap { home.announcements(of: $0) }.map(Broker.Message.init),
            states.map { home.state($0) }.map(Broker.Message.init)
        )
    }
}
