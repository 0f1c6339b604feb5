/// The options that a campaign or a configuration sets; `nil` where it leaves a choice to others.
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
    /// The resolver that is asked for the addresses of host names, in place of the system.
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

    static let keys = [
        "domains", "types", "rounds", "max-rounds", "until-sure", "duration", "interval", "timeout",
        "margin", "rate", "total-rate", "warmup", "seed", "transport", "bootstrap", "connections",
        "http-method", "series", "zone", "dnssec", "nsid", "ecs", "0x20", "baseline", "vantage",
        "allow-net", "store", "no-store",
    ]

    private static let mostRounds = 1_000_000
    private static let highestRate = 1_000_000.0

    /// Reads the keys at the top of a file.
    init(_ section: TOMLSection) throws(CatalogueError) {
        try readNames(section)
        rounds = try section.integer("rounds", in: 1...Self.mostRounds)
        maxRounds = try section.integer("max-rounds", in: 1...Self.mostRounds)
        untilSure = try section.bool("until-sure")
        duration = try section.positiveDuration("duration")
        interval = try section.duration("interval")
        timeout = try section.positiveDuration("timeout")
        margin = try section.duration("margin")
        rate = try section.rate("rate", upTo: Self.highestRate)
        totalRate = try section.rate("total-rate", upTo: Self.highestRate)
        warmup = try section.integer("warmup", in: 0...100)
        seed = try section.integer("seed", in: 0...Int.max).map { UInt64($0) }
        transports = try section.joined(
            section.filledStrings("transport"),
            of: "transport",
            TransportChoice.init(parsing:)
        )
        bootstrap = try section.parsed("bootstrap", Endpoint.init(parsing:))
        connections = try section.parsed("connections", ConnectionPolicy.init(parsing:))
        httpMethod = try section.parsed("http-method", HTTPMethod.init(parsing:))
        series = try section.series()
        dnssec = try section.bool("dnssec")
        nsid = try section.bool("nsid")
        ecs = try section.string("ecs")
        mixedCase = try section.bool("0x20")
        baseline = try section.string("baseline")
        vantage = try section.string("vantage")
        allowedNetworks = try section.joined(
            section.strings("allow-net"),
            of: "allow-net",
            AllowedNetworks.init(parsing:)
        )
        store = try section.string("store")
        noStore = try section.bool("no-store")
    }

    /// `domains` is an array of names, or the path of a file of them.
    private mutating func readNames(_ section: TOMLSection) throws(CatalogueError) {
        types = try section.filledStrings("types")
        zones = try section.filledStrings("zone")
        if section.isText("domains") {
            domainsFile = try section.requiredString("domains")
        } else {
            domains = try section.filledStrings("domains")
        }
    }
}

extension TOMLSection {
    fileprivate func positiveDuration(_ key: String) throws(CatalogueError) -> Duration? {
        let duration = try duration(key)
        guard duration != .zero else { throw fault(key, "'\(key)' has to be longer than zero") }
        return duration
    }

    fileprivate func rate(_ key: String, upTo most: Double) throws(CatalogueError) -> Double? {
        let rate = try number(key, in: 0...most)
        guard rate != 0 else { throw fault(key, "'\(key)' has to be more than zero") }
        return rate
    }

    /// An array with something in it, and nothing empty in it.
    fileprivate func filledStrings(_ key: String) throws(CatalogueError) -> [String]? {
        guard let texts = try strings(key) else { return nil }
        guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else {
            throw fault(key, "'\(key)' is empty or has an empty entry; leave it out or fill it")
        }
        return texts
    }

    /// An array of words, or one text of words joined by commas.
    fileprivate func series() throws(CatalogueError) -> [String]? {
        let (key, known) = ("series", ["cached", "uncached"])
        guard let texts = try filledStrings(key) else { return nil }
        let words = texts.flatMap { $0.split(separator: ",").map { String($0.trimmingSpaces) } }
        if let wrong = words.first(where: { !known.contains($0) }) {
            throw fault(
                key,
                "'\(key)': unknown word \(wrong.quoted); write \(known.joined(separator: ", "))"
            )
        }
        return words
    }

    /// The value that `parse` makes of `texts` with commas between, which `key` has.
    fileprivate func joined<Value>(
        _ texts: [String]?,
        of key: String,
        _ parse: (String) throws(CatalogueError) -> Value
    ) throws(CatalogueError) -> Value? {
        guard let text = texts?.joined(separator: ",") else { return nil }
        return try self.parse(text, of: key, parse)
    }
}
