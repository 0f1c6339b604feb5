extension Resolver {
    /// The same resolver asked over `kind`: at that one's usual port where it was asked at the usual
    /// port before, and encrypted under the name that the catalogue has.
    package func over(_ kind: TransportKind) throws(CatalogueError) -> Resolver {
        var resolver = self
        if endpoint.port == endpoint.transport.usualPort { resolver.endpoint.port = kind.usualPort }
        resolver.endpoint.transport = kind
        if !kind.isEncrypted, let entry, entry.isEncryptedOnly {
            throw CatalogueError(
                .usage,
                "'\(entry.name)' serves encrypted transports only;"
                    + " leave out the resolver or \(kind.rawValue)"
            )
        }
        guard kind.isEncrypted, !isWrittenOut, let entry else { return resolver }
        guard let server = entry.encrypted.server(over: kind) else {
            throw CatalogueError(
                .usage,
                "'\(entry.name)' is not known to answer over \(kind.rawValue);"
                    + " leave out the resolver or this transport"
            )
        }
        resolver.serverName = server.name
        resolver.path = server.path
        return resolver
    }
}

extension ResolverCatalogue {
    /// The resolver at `address`; a host name has to be one of the catalogue, or to have been looked
    /// up before.
    func resolver(
        at address: EncryptedAddress,
        _ families: Set<IPAddress.Family>,
        label: String
    ) throws(CatalogueError) -> Resolver {
        switch address.place {
        case .endpoint(let endpoint):
            return Resolver(
                label: label,
                endpoint: endpoint,
                serverName: address.name,
                path: address.path
            )
        case .host(let host, let port):
            let known = entry(serving: host, over: address.transport, families)
            guard let place = known?.address ?? lookedUp[host] else {
                throw CatalogueError(
                    .usage,
                    "\(host.quoted) is a host name, and no name is looked up here;"
                        + " write \(address.transport.rawValue)://ADDRESS#\(host)"
                )
            }
            var resolver = Resolver(
                label: label,
                endpoint: Endpoint(transport: address.transport, address: place, port: port),
                origin: known.map { .catalogue($0.entry) } ?? .address,
                serverName: address.name ?? host,
                path: address.path
            )
            resolver.isLookedUp = known == nil
            return resolver
        }
    }
}

extension CatalogueEntry.EncryptedHosts {
    /// The name, and over HTTP the path, under which the service answers over `kind`.
    func server(over kind: TransportKind) -> (name: String, path: String?)? {
        switch kind {
        case .udp, .tcp: return nil
        case .tls: return tls.map { ($0, nil) }
        case .quic: return quic.map { ($0, nil) }
        case .https, .h3:
            guard let rest = https?.dropFirst("https://".count) else { return nil }
            let name = rest.prefix { $0 != "/" }
            let path = rest[name.endIndex...]
            let isUsual = path.isEmpty || path == Resolver.usualPath
            return (String(name), isUsual ? nil : String(path))
        }
    }
}
