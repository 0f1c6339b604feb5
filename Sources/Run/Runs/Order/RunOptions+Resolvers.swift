package import Catalogue
package import Failures
import Processes
import Samples
import Transports

extension RunOptions {
    /// The name of this vantage point, by default the name of the host.
    package func vantagePoint() throws(Failure) -> String {
        let name = self[.vantage] ?? Environment.hostName
        try Failure.check(name: name, of: "a vantage point")
        return name
    }

    /// The resolvers over each requested transport.
    func overTransports(_ resolvers: [Resolver]) throws -> [Resolver] {
        guard let transports = self[.transports] else { return resolvers }
        let all = try resolvers.flatMap { try $0.over(transports) }
        try all.checkLabels()
        return all
    }

    /// The resolvers from each requested source, and with the requested mark. Several sources are compared
    /// like resolvers.
    func fromSources(_ resolvers: [Resolver]) throws -> [Resolver] {
        let sources = self[.sources]?.uniqued
        var all = try resolvers.flatMap { try sources.map($0.from) ?? [$0] }
        if let mark = self[.dscp] { all = all.map { $0.marked(mark) } }
        try all.checkLabels()
        return all
    }

    /// Throws if no query can be sent from a source.
    func checkSources() throws(Failure) {
        for source in self[.sources] ?? [] {
            guard let fault = SourceAddress.fault(of: source) else { continue }
            throw Failure.usage("--source: \(source) \(fault)")
        }
    }
}

extension ResolverCatalogue {
    /// A copy that prefers the address family with a route, if `families` is empty. A machine with
    /// only IPv6 then uses IPv6 addresses. No packet is sent.
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
