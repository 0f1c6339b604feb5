import Catalogue
import Samples
import Store
import Synchronization
import Transports

/// Detects that this machine moved to another network during a run.
final class NetworkWatch: RoundConsumer {
    private struct State {
        var last: NetworkPlace
        var looked = ContinuousClock.now
        var changes = 0
    }

    /// The minimum time between two checks. Reading the system's files costs as much as some
    /// queries, and a round may be shorter.
    private static let patience = Duration.seconds(1)

    private let places: [Endpoint]
    private let state: Mutex<State>

    /// `nil` in the lab, which uses no network.
    init?(_ order: RunOrder) {
        guard order.lab == nil else { return nil }
        places = order.endpoints.filter { !$0.address.isLoopback }.uniqued
        state = Mutex(State(last: NetworkPlace(toward: places)))
    }

    /// Whether the machine is on another network now. Checks at most once per second, and always at
    /// the `end`.
    @discardableResult
    func look(end: Bool = false) -> Bool {
        let moment = ContinuousClock.now
        let isDue = state.withLock { state in
            guard end || state.looked.duration(to: moment) >= Self.patience else { return false }
            state.looked = moment
            return true
        }
        guard isDue else { return false }
        let now = NetworkPlace(toward: places)
        return state.withLock { state in
            let differs = now.differs(from: state.last)
            if differs { state.changes += 1 }
            state.last = now.filled(from: state.last)
            return differs
        }
    }

    var changes: Int { state.withLock(\.changes) }

    func take(_ round: inout MeasuredRound, in store: Store?) { look() }
}

struct NetworkPlace: Hashable, Sendable {
    /// The router of the default route; `nil` without a default route, or if it is unknown.
    var gateway: IPAddress?
    var nameservers: [IPAddress] = []
    /// The networks of the source addresses of queries, by destination.
    var sources: [Endpoint: [UInt8]] = [:]

    /// Whether the machine is on another network. A missing property means that a connection is
    /// down, and does not count.
    func differs(from earlier: NetworkPlace) -> Bool {
        if let gateway, let old = earlier.gateway, gateway != old { return true }
        if !nameservers.isEmpty, !earlier.nameservers.isEmpty, nameservers != earlier.nameservers {
            return true
        }
        return sources.contains { endpoint, source in
            earlier.sources[endpoint].map { $0 != source } ?? false
        }
    }

    /// This place, in which the values of `earlier` replace missing properties.
    func filled(from earlier: NetworkPlace) -> NetworkPlace {
        var place = self
        place.gateway = gateway ?? earlier.gateway
        if nameservers.isEmpty { place.nameservers = earlier.nameservers }
        place.sources = earlier.sources.merging(sources) { $1 }
        return place
    }

    init(toward endpoints: [Endpoint]) {
        let system = SystemResolvers()
        gateway = system.gateway
        nameservers = system.nameservers.map(\.address)
        for endpoint in endpoints {
            guard let source = SourceAddress.toward(endpoint) else { continue }
            // The network half of an IPv6 address. The other half changes for privacy (RFC 8981).
            sources[endpoint] =
                source.family == .v4 ? source.bytes : Array(source.bytes.prefix(8))
        }
    }
}
