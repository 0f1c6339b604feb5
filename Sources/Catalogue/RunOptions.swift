/// What a campaign or a configuration sets; `nil` where it leaves a choice to others.
///
/// The keys are named as the long options of the command line.
package struct RunOptions: Hashable, Sendable {
    package var domains: [String]?
    /// A file of names, in place of `domains`.
    package var domainsFile: String?
    package var types: [String]?
    package var rounds: Int?
    package var maxRounds: Int?
    package var untilSure: Bool?
    package var duration: Duration?
    package var interval: Duration?
    package var timeout: Duration?
    package var margin: Duration?
    /// Queries per second to one resolver.
    package var rate: Double?
    /// Queries per second in all.
    package var totalRate: Double?
    package var warmup: Int?
    package var seed: UInt64?
    package var transports: TransportChoice?
    /// Who is asked for the addresses of host names, in place of the system.
    package var bootstrap: Endpoint?
    package var connections: ConnectionPolicy?
    package var httpMethod: HTTPMethod?
    package var series: [String]?
    package var zones: [String]?
    package var dnssec: Bool?
    package var nsid: Bool?
    package var ecs: String?
    package var mixedCase: Bool?
    package var baseline: String?
    package var vantage: String?
    package var allowedNetworks: AllowedNetworks?
    package var store: String?
    package var noStore: Bool?

    package init() {}

    /// With the values of `weaker` where there is none here.
    ///
    /// Names and the file of names are one choice, and so are rounds, duration and until when, and
    /// the store and that there is none. Allowed networks are only ever narrowed.
    package func over(_ weaker: RunOptions) -> RunOptions {
        var merged = self
        if domains == nil, domainsFile == nil {
            merged.domains = weaker.domains
            merged.domainsFile = weaker.domainsFile
        }
        merged.types = types ?? weaker.types
        if rounds == nil, duration == nil, untilSure == nil {
            merged.rounds = weaker.rounds
            merged.duration = weaker.duration
            merged.untilSure = weaker.untilSure
        }
        merged.maxRounds = maxRounds ?? weaker.maxRounds
        merged.interval = interval ?? weaker.interval
        merged.timeout = timeout ?? weaker.timeout
        merged.margin = margin ?? weaker.margin
        merged.rate = rate ?? weaker.rate
        merged.totalRate = totalRate ?? weaker.totalRate
        merged.warmup = warmup ?? weaker.warmup
        merged.seed = seed ?? weaker.seed
        merged.transports = transports ?? weaker.transports
        merged.bootstrap = bootstrap ?? weaker.bootstrap
        merged.connections = connections ?? weaker.connections
        merged.httpMethod = httpMethod ?? weaker.httpMethod
        merged.series = series ?? weaker.series
        merged.zones = zones ?? weaker.zones
        merged.dnssec = dnssec ?? weaker.dnssec
        merged.nsid = nsid ?? weaker.nsid
        merged.ecs = ecs ?? weaker.ecs
        merged.mixedCase = mixedCase ?? weaker.mixedCase
        merged.baseline = baseline ?? weaker.baseline
        merged.vantage = vantage ?? weaker.vantage
        merged.allowedNetworks =
            weaker.allowedNetworks?.narrowed(to: allowedNetworks ?? .everywhere) ?? allowedNetworks
        if store == nil, noStore == nil {
            merged.store = weaker.store
            merged.noStore = weaker.noStore
        }
        return merged
    }
}
