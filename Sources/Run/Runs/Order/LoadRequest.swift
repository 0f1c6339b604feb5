package import Catalogue
package import Failures
package import Load

/// The orders for a load of the line, from the command line.
package struct LoadRequest: Equatable, Sendable {
    /// A URL and the option that named it.
    struct Source: Equatable, Sendable {
        let address: WebAddress
        let direction: LoadDirection
        let option: String
    }

    private(set) var sources: [Source] = []
    package var limit = ByteCount(200_000_000)
    /// The mark of the queries in a further series; `nil` without such a series.
    var mark: DSCP?

    /// The number of rounds without a request. With twelve, the intervals of many resolvers have both ends.
    static let usualRounds = 12

    package init() {}

    /// Adds the URL of an option.
    package mutating func add(
        _ url: String,
        _ direction: LoadDirection,
        option: String
    ) throws(Failure) {
        let address = try WebAddress(
            parsing: url,
            of: "a load",
            example: direction == .download
                ? "the URL of a large file, as https://files.example/1GB"
                : "the URL of a server that accepts uploads, as https://files.example/upload",
            secrets: "and name a server that needs none"
        )
        sources.append(Source(address: address, direction: direction, option: option))
    }

    /// Adds both directions of a machine on which `dnstempo load-peer` runs: `HOST:PORT`, or a host.
    package mutating func add(peer place: String) throws(Failure) {
        let (host, port) = Endpoint.split(place[...])
        let isBare = port == nil && !place.isEmpty
        let authority =
            !isBare
            ? place
            : host.contains(":")
                ? "[\(host)]:\(LoadPeer.usualPort)" : "\(host):\(LoadPeer.usualPort)"
        for (direction, path) in [
            (LoadDirection.download, LoadPeer.download), (.upload, LoadPeer.upload),
        ] {
            let address = try WebAddress(
                parsing: "http://\(authority)\(path)",
                of: "a load peer",
                example: "HOST or HOST:PORT, where 'dnstempo load-peer' runs",
                secrets: "and write HOST:PORT alone"
            )
            sources.append(
                Source(address: address, direction: direction, option: "--load-peer \(place)")
            )
        }
    }

    /// The load within the allowed networks. Looks up the hosts.
    func load(within allowed: AllowedNetworks) throws -> LineLoad {
        try LineLoad.checkLibrary()
        return LineLoad(
            try sources.map { source in
                let server = NamedServer(
                    kind: "load's server",
                    at: source.address,
                    within: allowed
                )
                try server.check()
                return LineLoad.Source(
                    source.address,
                    source.direction,
                    at: try server.address(),
                    option: source.option
                )
            },
            limit: limit,
            agent: "dnstempo/\(Version.text)"
        )
    }
}
