import Reports
import Samples
import Store

extension HourlySum {
    init(_ rollup: Rollup) {
        self.init(
            vantage: rollup.vantage,
            target: rollup.target,
            type: rollup.type,
            timeout: rollup.timeout,
            hour: rollup.hour,
            counts: rollup.counts,
            latency: rollup.latency,
            connections: rollup.connections
        )
    }
}
