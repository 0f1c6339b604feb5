/// Over what resolvers are asked.
package enum TransportChoice: Hashable, Sendable {
    /// All that each is known to answer over.
    case all
    /// These, in this order.
    case listed([TransportKind])

    /// Reads `all`, or transports joined by commas.
    package init(parsing text: String) throws(CatalogueError) {
        self = text == "all" ? .all : .listed(try TransportKind.list(parsing: text))
    }
}

extension Resolver {
    /// The same resolver over each transport of `choice`.
    package func over(_ choice: TransportChoice) throws(CatalogueError) -> [Resolver] {
        let kinds: [TransportKind] =
            switch choice {
            case .all: knownTransports.filter(\.isCarried)
            case .listed(let kinds): kinds
            }
        var resolvers: [Resolver] = []
        for kind in kinds { resolvers.append(try over(kind)) }
        return resolvers
    }

    /// What it is known to answer over and this build does not carry.
    package var uncarriedTransports: [TransportKind] { knownTransports.filter { !$0.isCarried } }

    /// What it is known to answer over. Who writes a transport before an address means that one.
    private var knownTransports: [TransportKind] {
        if isWrittenOut { return [endpoint.transport] }
        return entry?.transports ?? [.udp, .tcp]
    }
}

extension CatalogueEntry {
    /// What the service is said to answer over.
    var transports: [TransportKind] {
        TransportKind.allCases.filter { kind in
            switch kind {
            case .udp, .tcp: !isEncryptedOnly && !endpoints.isEmpty
            case .h3: encrypted.hasHTTP3
            case .tls, .https, .quic: encrypted.server(over: kind) != nil
            }
        }
    }
}
