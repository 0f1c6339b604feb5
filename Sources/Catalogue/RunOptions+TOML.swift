extension RunOptions {
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
        transports = try section.transports()
        bootstrap = try section.choice("bootstrap", Endpoint.init(parsing:))
        connections = try section.choice("connections", ConnectionPolicy.init(parsing:))
        httpMethod = try section.choice("http-method", HTTPMethod.init(parsing:))
        series = try section.words("series", among: ["cached", "uncached"])
        dnssec = try section.bool("dnssec")
        nsid = try section.bool("nsid")
        ecs = try section.string("ecs")
        mixedCase = try section.bool("0x20")
        baseline = try section.string("baseline")
        vantage = try section.string("vantage")
        allowedNetworks = try section.networks()
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

    /// An array of words, or one text of words joined by commas, each one of `known`.
    fileprivate func words(
        _ key: String,
        among known: [String]
    ) throws(CatalogueError) -> [String]? {
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

    fileprivate func transports() throws(CatalogueError) -> TransportChoice? {
        guard let texts = try filledStrings("transport") else { return nil }
        do {
            return try TransportChoice(parsing: texts.joined(separator: ","))
        } catch {
            throw fault("transport", error.description)
        }
    }

    fileprivate func choice<Choice>(
        _ key: String,
        _ parse: (String) throws(CatalogueError) -> Choice
    ) throws(CatalogueError) -> Choice? {
        guard let text = try string(key) else { return nil }
        do throws(CatalogueError) {
            return try parse(text)
        } catch {
            throw fault(key, error.description)
        }
    }

    fileprivate func networks() throws(CatalogueError) -> AllowedNetworks? {
        guard let texts = try strings("allow-net") else { return nil }
        do {
            return try AllowedNetworks(parsing: texts.joined(separator: ","))
        } catch {
            throw fault("allow-net", error.description)
        }
    }
}
