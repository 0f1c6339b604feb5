package import Catalogue
import Failures
import Processes
package import Samples
import Transports

/// Measures only the instrument: idle, and then under its own load.
package struct InstrumentSession {
    let idle: Duration
    let allowed: AllowedNetworks

    package init(idle: Duration, allowed: AllowedNetworks) {
        (self.idle, self.allowed) = (idle, allowed)
    }

    /// Long enough for a 99th percentile, and short enough not to disturb other users.
    private static let longestLoad = Duration.seconds(2)
    private static let interval = Duration.milliseconds(5)

    package func readings() async throws -> InstrumentReadings {
        guard let loopback = IPAddress("127.0.0.1"), allowed.allows(loopback) else {
            throw Failure.usage(
                "the instrument queries 127.0.0.1, which is outside the allowed networks: add it to "
                    + "--allow-net or DNSTEMPO_ALLOW_NET"
            )
        }
        // Read before its own load begins.
        let machine = Machine.current
        guard let check = try await check(idle) else {
            throw Failure(
                .unavailable,
                "this machine cannot query itself at 127.0.0.1; is loopback up?"
            )
        }
        let length = min(idle, Self.longestLoad)
        // Its threads run at most one timeout longer than the queries.
        let load = BusyThreads(machine.cores, within: length + .seconds(1))
        defer { load.stop() }
        return InstrumentReadings(
            machine: machine,
            idle: check,
            loaded: try await self.check(length),
            threads: load.count
        )
    }

    private func check(_ length: Duration) async throws -> InstrumentCheck? {
        let measuring = await Signals.whileRunning {
            Task {
                await InstrumentCheck.measured(
                    queries: .max,
                    every: Self.interval,
                    within: length,
                    allowed: allowed
                )
            }
        }
        let check = await measuring.value
        // An interrupted measurement has no result.
        guard !measuring.isCancelled else { throw Failure(.interrupted, "") }
        return check
    }
}
