/// Simulated resolvers as a file describes them; values only, the lab gives them life.
package struct LabProfile: Hashable, Sendable {
    /// How one simulated resolver answers: after base + jitter·exp(σ·z), z standard normal.
    package struct Resolver: Hashable, Sendable {
        package var name: String
        package var base = Duration.zero
        package var jitter = Duration.zero
        package var sigma = 0.5
        /// How often a cached name has to be fetched again, and what that adds, evenly spread.
        package var miss = 0.0
        package var missDelay = MissDelay()
        /// The extra delay of a random label, evenly spread: the way to the zone's name servers.
        package var recursion = MissDelay()
        /// Whether the first query of a name, and the first after its TTL, is a miss.
        package var coldCache = false
        /// Probabilities per query.
        package var loss = 0.0
        package var late = 0.0
        package var duplicate = 0.0
        package var wrongID = 0.0
        package var truncate = 0.0
        package var servfail = 0.0
        /// The extra delay of a late answer.
        package var lateDelay = Duration.zero
        package var refuse = false
        package var nxdomainRewrite = false
        package var silent = false
        /// Seconds.
        package var ttl: UInt32 = 300
        /// Addresses in an answer.
        package var answers = 1
        /// Delays are drawn in blocks of this many, evenly over their distribution.
        package var strata = 20

        package init(name: String) { self.name = name }
    }

    /// The extra delay of fetching a name: at least `low`, at most `high`.
    package struct MissDelay: Hashable, Sendable {
        package var low = Duration.zero
        package var high = Duration.zero
    }

    /// The file's name, or the name of a bundled profile.
    package var name: String
    package var resolvers: [Resolver]
    /// Which of them is "what you use now".
    package var baseline: String?
    package var seed: UInt64?

    /// The profiles that are part of the program, the default first.
    package static let bundledNames = bundled.map(\.name)

    private static let bundled = [
        NamedText(name: "default", bundled: PackageResources.default_toml),
        NamedText(name: "hostile", bundled: PackageResources.hostile_toml),
    ]

    /// Reads a bundled profile by its name, or a file by its path.
    ///
    /// `missingInput` where there is neither, `configuration` where the content cannot be used.
    package init(_ nameOrPath: String = "default") throws(CatalogueError) {
        let known = Self.bundled
        try self.init(parsing: NamedText(nameOrPath, bundled: known, kind: "lab profile"))
    }

    init(parsing source: NamedText) throws(CatalogueError) {
        let top = try TOMLSection(parsing: source)
        try top.check(keys: ["seed", "baseline", "resolver"])
        name = source.name
        seed = try top.integer("seed", in: 0...Int.max).map { UInt64($0) }
        resolvers = try top.resolvers(named: \.name, Resolver.init)
        guard !resolvers.isEmpty else {
            throw top.fault("resolver", "the profile has no [[resolver]]; describe at least one")
        }
        baseline = try top.string("baseline")
        if let baseline, !resolvers.contains(where: { $0.name == baseline }) {
            let hint = NearestName.question(baseline, among: resolvers.map(\.name))
            throw top.fault(
                "baseline",
                "'baseline' is \(baseline.quoted), which no [[resolver]] has\(hint)"
            )
        }
    }
}

extension LabProfile.Resolver {
    private static let keys = [
        "name", "base", "jitter", "sigma", "miss", "miss-delay", "recursion", "cold-cache", "loss",
        "late",
        "late-delay", "duplicate", "wrong-id", "truncate", "servfail", "refuse",
        "nxdomain-rewrite", "silent", "ttl", "answers", "strata",
    ]

    init(_ section: TOMLSection) throws(CatalogueError) {
        try section.check(keys: Self.keys)
        self.init(name: try section.resolverName())
        base = try section.delay("base") ?? base
        jitter = try section.delay("jitter") ?? jitter
        sigma = try section.number("sigma", in: 0...5) ?? sigma
        miss = try section.number("miss", in: 0...1) ?? miss
        missDelay = try section.delays("miss-delay") ?? missDelay
        recursion = try section.delays("recursion") ?? recursion
        coldCache = try section.bool("cold-cache") ?? coldCache
        loss = try section.number("loss", in: 0...1) ?? loss
        late = try section.number("late", in: 0...1) ?? late
        lateDelay = try section.delay("late-delay") ?? lateDelay
        duplicate = try section.number("duplicate", in: 0...1) ?? duplicate
        wrongID = try section.number("wrong-id", in: 0...1) ?? wrongID
        truncate = try section.number("truncate", in: 0...1) ?? truncate
        servfail = try section.number("servfail", in: 0...1) ?? servfail
        refuse = try section.bool("refuse") ?? refuse
        nxdomainRewrite = try section.bool("nxdomain-rewrite") ?? nxdomainRewrite
        silent = try section.bool("silent") ?? silent
        ttl = try section.integer("ttl", in: 0...2_147_483_647).map { UInt32($0) } ?? ttl
        answers = try section.integer("answers", in: 0...200) ?? answers
        strata = try section.integer("strata", in: 1...1000) ?? strata
        try requireDelays(section)
    }

    /// A miss or a late answer without its delay would be none.
    private func requireDelays(_ section: TOMLSection) throws(CatalogueError) {
        if late > 0, lateDelay == .zero {
            throw section.fault("late", "'late' needs 'late-delay', such as late-delay = \"300ms\"")
        }
        if miss > 0 || coldCache, missDelay.high == .zero {
            throw section.fault(
                miss > 0 ? "miss" : "cold-cache",
                "a cache miss needs 'miss-delay', such as miss-delay = [\"60ms\", \"180ms\"]"
            )
        }
    }
}

extension TOMLSection {
    private static let longestDelay = Duration.seconds(3600)

    fileprivate func delay(_ key: String) throws(CatalogueError) -> Duration? {
        let delay = try duration(key)
        guard delay.map({ $0 <= Self.longestDelay }) ?? true else {
            throw fault(key, "'\(key)' has to be an hour at most")
        }
        return delay
    }

    /// Two durations, the shorter first, or one that is both.
    fileprivate func delays(_ key: String) throws(CatalogueError) -> LabProfile.MissDelay? {
        let delays = try strings(key)?.map { text throws(CatalogueError) in
            try duration(of: text, key)
        }
        guard let delays else { return nil }
        guard (1...2).contains(delays.count), let low = delays.first, let high = delays.last,
            low <= high, high <= Self.longestDelay
        else {
            throw fault(
                key,
                "'\(key)' has to be one duration or two, the shorter first,"
                    + " such as [\"60ms\", \"180ms\"]"
            )
        }
        return LabProfile.MissDelay(low: low, high: high)
    }
}
