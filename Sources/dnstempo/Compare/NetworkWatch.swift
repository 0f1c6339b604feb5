import Catalogue
import Reports
import Synchronization
import Transports

/// Counts how often this machine moved to another network during a run.
final class NetworkWatch: Sendable {
    private struct State {
        var last: NetworkPlace
        var looked = ContinuousClock.now
        var changes = 0
    }

    /// Reading the system's files costs as much as some queries: a round may take less than that.
    private static let patience = Duration.seconds(1)

    private let read: @Sendable () -> NetworkPlace
    private let state: Mutex<State>

    /// Begins with what `read` finds now.
    init(_ read: @escaping @Sendable () -> NetworkPlace) {
        self.read = read
        state = Mutex(State(last: read()))
    }

    /// Of the network through which `endpoints` are asked.
    convenience init(toward endpoints: [Endpoint]) {
        let places = endpoints.filter { !$0.address.isLoopback }.uniqued
        self.init { NetworkPlace(toward: places) }
    }

    /// Looks whether it is another by now, unless it was looked a moment ago; at the `end` always.
    func look(end: Bool = false) {
        let moment = ContinuousClock.now
        let isDue = state.withLock { state in
            guard end || state.looked.duration(to: moment) >= Self.patience else { return false }
            state.looked = moment
            return true
        }
        guard isDue else { return }
        let now = read()
        state.withLock { state in
            if now.differs(from: state.last) { state.changes += 1 }
            state.last = now.filled(from: state.last)
        }
    }

    /// How often it was another than before.
    var changes: Int { state.withLock(\.changes) }
}

/// By what one network is told from another.
struct NetworkPlace: Hashable, Sendable {
    /// The router of the default route; `nil` where there is none, or nobody tells.
    var gateway: IPAddress?
    /// What this machine asks.
    var nameservers: [IPAddress] = []
    /// The networks of the addresses that queries leave from, by where they go.
    var sources: [Endpoint: [UInt8]] = [:]

    /// What is missing is of a connection that is down, and tells of no other network.
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
}

extension NetworkPlace {
    /// As it is now; nothing is sent.
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
