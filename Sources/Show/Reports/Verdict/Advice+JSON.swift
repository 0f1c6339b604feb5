import Samples
import Statistics

extension Advice {
    static let shape = Shape<Advice>(
        "advice",
        [
            .text("series", "Series of the verdict, or `cached,uncached` for both together.") {
                $0.series?.description ?? "cached,uncached"
            },
            .flag("switch", "Whether the first resolver is a candidate.") { $0.isSwitch },
            .texts("resolvers", "Labels of the primary resolver and of the fallback.") {
                [$0.first, $0.second].compactMap { $0?.target.label }
            },
            .texts("addresses", "Addresses to configure, in this order.") { $0.addresses },
            .texts("resolv_conf", "Lines for `/etc/resolv.conf`.") { $0.resolvConf },
            .object("failover", failover, "Wait of a look-up if the primary is silent.") { $0 },
        ]
    )

    private static let failover = Shape<Advice>(
        "failover",
        [
            .count("timeout_s", "Value of `options timeout`, in seconds.") { $0.failover.timeout },
            .count("attempts", "Value of `options attempts`.") { $0.failover.attempts },
            .count("wait_s", null: "there is no fallback", "Seconds until the fallback is asked.") {
                $0.second == nil ? nil : $0.failover.timeout
            },
            .time("then_ms", null: "there is no fallback", "Median of the fallback.") {
                $0.second?.latency.median
            },
            .count("surrender_s", "Seconds until a look-up fails if both are silent.") {
                $0.failover.surrender
            },
            .count("default_wait_s", null: "there is no fallback", "`wait_s` of the defaults.") {
                $0.second == nil ? nil : $0.failover.standard.timeout
            },
            .count("default_surrender_s", "`surrender_s` of the defaults.") {
                $0.failover.standard.surrender
            },
        ]
    )
}
