extension Resolver {
    /// The same resolver asked over `kind`: at that one's usual port where it was asked at the usual
    /// port before, and encrypted under the name that the catalogue has.
    public func over(_ kind: TransportKind) throws(CatalogueError) -> Resolver {
        var resolver = self
        if endpoint.port == endpoint.transport.usualPort { resolver.endpoint.port = kind.usualPort }
        resolver.endpoint.transport = kind
        guard kind.isEncrypted, serverName == nil, let entry else { return resolver }
        guard let name = entry.encrypted.tls else {
            throw CatalogueError(
                .usage,
                "'\(entry.name)' is not known to answer over \(kind.rawValue);"
                    + " leave out the resolver or this transport"
            )
        }
        resolver.serverName = name
        return resolver
    }
}

extension ResolverCatalogue {
    /// The resolver at `address`; a host name has to be one of the catalogue, since none is looked
    /// up.
    func resolver(
        at address: EncryptedAddress,
        _ families: Set<IPAddress.Family>,
        label: String
    ) throws(CatalogueError) -> Resolver {
        switch address.place {
        case .endpoint(let endpoint):
            return Resolver(label: label, endpoint: endpoint, serverName: address.name)
        case .host(let host, let port):
            guard let entry = entries.first(where: { $0.encrypted.tls == host }),
                let place = entry.endpoints(of: families, all: false).first?.address
                    ?? entry.bootstrap.first
            else {
                throw CatalogueError(
                    .usage,
                    "\(host.quoted) is a host name, and no name is looked up here;"
                        + " write tls://ADDRESS#\(host)"
                )
            }
            return Resolver(
                label: label,
                endpoint: Endpoint(transport: .tls, address: place, port: port),
                origin: .catalogue(entry),
                serverName: address.name ?? host
            )
        }
    }
}
