import Catalogue
import Samples
import Store
import Synchronization
import Transports

/// Notices that this machine moved to another network during a run.
final class NetworkWatch: RoundConsumer {
    private struct State {
        var last: NetworkPlace
        var looked = ContinuousClock.now
        var changes = 0
    }

    /// Reading the system's files costs as much as some queries: a round may take less than that.
    private static let patience = Duration.seconds(1)

    private let places: [Endpoint]
    private let state: Mutex<State>

    /// `nil` in the lab, which is on no network.
    init?(_ order: RunOrder) {
        guard order.lab == nil else { return nil }
        places = order.endpoints.filter { !$0.address.isLoopback }.uniqued
        state = Mutex(State(last: NetworkPlace(toward: places)))
    }

    /// Whether it is another by now; looked at no more than once a second, but at the `end`.
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
    /// The router of the default route; `nil` where there is none, or nobody tells.
    var gateway: IPAddress?
    var nameservers: [IPAddress] = []
    /// The networks of the addresses that queries leave from, by where they go.
    var sources: [Endpoint: [UInt8]] = [:]

    /// Whether it is another network. A mark that is missing is of a connection that is down.
    func differs(from earlier: NetworkPlace) -> Bool {
        if let gateway, let old = earlier.gateway, gateway != old { return true }
        if !nameservers.isEmpty, !earlier.nameservers.isEmpty, nameservers != earlier.nameservers {
            return true
        }
        return sources.contains { endpoint, source in
            earlier.sources[endpoint].map { $0 != source } ?? false
        }
    }

    /// With what was known before of what is missing.
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
            // Of IPv6 the half that is the network's: the other one changes for privacy (RFC 8981).
            sources[endpoint] =
                source.family == .v4 ? source.octets : Array(source.octets.prefix(8))
        }
    }
}
