import ArgumentParser
import DNSWire
import Reports
import Runs
import Transports

struct TraceOption: ParsableArguments {
    @Flag(
        help: """
            Trace the path to a resolver that becomes unreachable or whose speed or reliability \
            changes, at most once an hour.
            """
    )
    var trace = false

    /// The tracing. `nil` if it is not requested, or not supported on this system.
    func tracing(_ order: RunOrder, _ console: WatchConsole) -> Tracing? {
        guard trace else { return nil }
        guard PathProbe.isSupported else {
            console.warn(
                "--trace: this system does not report which router drops a packet; "
                    + "no path is traced"
            )
            return nil
        }
        let options = order.queries.first?().options ?? QueryOptions()
        return Tracing(within: order.allowed, options) {
            console.mention("\($0.title). \($1.sentence)")
        }
    }
}
