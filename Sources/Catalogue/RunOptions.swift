/// What a campaign or a configuration sets; `nil` where it leaves a choice to others.
///
/// The keys are named as the long options of the command line.
public struct RunOptions: Hashable, Sendable {
    public var domains: [String]?
    /// A file of names, in place of `domains`.
    public var domainsFile: String?
    public var types: [String]?
    public var rounds: Int?
    public var maxRounds: Int?
    public var untilSure: Bool?
    public var duration: Duration?
    public var interval: Duration?
    public var timeout: Duration?
    public var margin: Duration?
    /// Queries per second to one resolver.
    public var rate: Double?
    /// Queries per second in all.
    public var totalRate: Double?
    public var warmup: Int?
    public var seed: UInt64?
    public var transports: TransportChoice?
    /// Who is asked for the addresses of host names, in place of the system.
    public var bootstrap: Endpoint?
    public var connections: ConnectionPolicy?
    public var httpMethod: HTTPMethod?
    public var series: [String]?
    public var zones: [String]?
    public var dnssec: Bool?
    public var nsid: Bool?
    public var ecs: String?
    public var mixedCase: Bool?
    public var baseline: String?
    public var vantage: String?
    public var allowedNetworks: AllowedNetworks?
    public var store: String?
    public var noStore: Bool?

    public init() {}

    /// With the values of `weaker` where there is none here.
    ///
    /// Names and the file of names are one choice, and so are rounds, duration and until when, and
    /// the store and that there is none. Allowed networks are only ever narrowed.
    public func over(_ weaker: RunOptions) -> RunOptions {
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
