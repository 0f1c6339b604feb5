import Catalogue
import DNSWire
import Integrity
import Transports

/// A way to a resolver that is taken no faster than a pace.
struct PacedTransport: Transport {
    let way: any Transport
    let endpoint: Endpoint
    let turns: CheckTurns<ContinuousClock>

    func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        await turns.wait(for: endpoint)
        return await way.exchange(query, timeout: timeout)
    }
}
