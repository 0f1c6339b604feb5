import ArgumentParser
import Catalogue
import Failures
import Runs

/// Options for the work after each stored round.
struct FollowingOptions: ParsableArguments {
    @OptionGroup(title: "Store") var shipping: ShippingOptions
    @OptionGroup(title: "Store") var remote: RemoteWriteOptions
    @OptionGroup(title: "Output") var notices: NoticeOptions
    @OptionGroup(title: "Output") var states: StateOptions
    @OptionGroup(title: "Output") var tracing: TraceOption
    @OptionGroup(title: "Output") var metrics: MetricsOptions

    /// The work after each round of `order`. If pages show the objective, it requires no notices.
    func work(
        after order: RunOrder,
        onPages: Bool = false,
        _ console: WatchConsole
    ) throws -> StoredRoundWork {
        let objective = try notices.objective(metrics, or: order.options, onPages: onPages)
        let shipping = try shipping.shipping(within: order.allowed)
        let publishing = try states.publishing(
            within: order.allowed,
            inUse: order.baseline ?? order.inUse
        )
        let others: [(any RoundTarget)?] =
            [shipping, publishing] + (try remote.writing(within: order.allowed))
        let file = try MetricsFile(metrics, objective: objective)
        return StoredRoundWork(
            judge: Judge(
                telling: try notices.recipients(within: order.allowed),
                objective: objective,
                tracing: tracing.tracing(order, console)
            ),
            others: others.compactMap(\.self),
            metrics: file.map { $0.write }
        )
    }

    /// Detects problems that would make every round fail. It sends nothing.
    func check(_ options: RunOptions) throws {
        _ = try MetricsFile(metrics)
        _ = try notices.objective(metrics, or: RunOptions())
        _ = try shipping.shipping(within: .everywhere)
        _ = try notices.recipients(within: AllowedNetworks.of(options))
        _ = try remote.writing(within: AllowedNetworks.of(options))
        _ = try states.publishing(within: AllowedNetworks.of(options))
    }

    /// Rejects options that require stored rounds. `reason` states why no rounds are stored.
    func refuse(_ reason: String) throws(Failure) {
        try Failure.refuse([
            "--ship: rounds are shipped from a store, \(reason)": shipping.ship != nil,
            "--remote-write: rounds are written from a store, \(reason)":
                remote.remoteWrite != nil,
            "--otlp: rounds are sent from a store, \(reason)": remote.otlp != nil,
            "--mqtt: states are read from a store, \(reason)": states.mqtt != nil,
            "--notify: sent notices are kept in a store, \(reason)": notices.isUsed,
            "--trace: paths are kept in a store, \(reason)": tracing.trace,
            "--textfile: the metrics come from a store, \(reason)": metrics.textfile != nil,
        ])
    }
}
