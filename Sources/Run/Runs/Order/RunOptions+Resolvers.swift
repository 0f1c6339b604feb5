package import Catalogue
package import Failures
import Processes
import Samples
import Transports

extension RunOptions {
    /// The name of this vantage point: the host's where none is given.
    package func vantagePoint() throws(Failure) -> String {
        let name = self[.vantage] ?? Environment.hostName
        try Failure.check(name: name, of: "a vantage point")
        return name
    }

    /// The resolvers over each transport that is asked for.
    func overTransports(_ resolvers: [Resolver]) throws -> [Resolver] {
        guard let transports = self[.transports] else { return resolvers }
        let all = try resolvers.flatMap { try $0.over(transports) }
        try all.checkLabels()
        return all
    }

    /// The resolvers from each source that is asked for: several are compared like resolvers.
    func fromSources(_ resolvers: [Resolver]) throws -> [Resolver] {
        guard let sources = self[.sources] else { return resolvers }
        let all = try resolvers.flatMap { try $0.from(sources.uniqued) }
        try all.checkLabels()
        return all
    }

    /// Throws where nothing can leave from a source.
    func checkSources() throws(Failure) {
        for source in self[.sources] ?? [] {
            guard let fault = SourceAddress.fault(of: source) else { continue }
            throw Failure.usage("--source: \(source) \(fault)")
        }
    }
}

extension ResolverCatalogue {
    /// With addresses of the family that has a route, where `families` leave the choice: a machine
    /// with IPv6 alone asks at IPv6 addresses. Nothing is sent.
    package func preferringRoutes(
        _ families: Set<IPAddress.Family>,
        within allowed: AllowedNetworks
    ) -> ResolverCatalogue {
        guard families.isEmpty else { return self }
        return preferringFamilies { address in
            allowed.allows(address) ? SourceAddress.hasRoute(to: address) : nil
        }
    }
}
