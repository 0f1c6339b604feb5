import CData

/// Simulated resolvers as a file describes them. These are values only; the lab starts the
/// resolvers.
package struct LabProfile: Hashable, Sendable {
    package var resolvers: [Behaviour]
    /// The name of the resolver that is "your current resolver".
    package var baseline: String?
    package var seed: UInt64?

    /// The names of the profiles that are part of the program, the default first.
    package static let bundledNames = bundled.map(\.name)

    private static let bundled = [
        NamedText(name: "default", bundled: cdata_lab_default),
        NamedText(name: "hostile", bundled: cdata_lab_hostile),
    ]

    /// Reads a bundled profile by its name, or a file by its path.
    ///
    /// - Throws: `missingInput` if neither exists, `configuration` if the content is not usable.
    package init(_ nameOrPath: String = "default") throws(CatalogueError) {
        let known = Self.bundled
        try self.init(parsing: NamedText(nameOrPath, bundled: known, kind: "lab profile"))
    }

    init(parsing source: NamedText) throws(CatalogueError) {
        let top = try TOMLSection(parsing: source)
        try top.check(keys: ["seed", "baseline", "resolver"])
        seed = try top.integer("seed", in: 0...Int.max).map { UInt64($0) }
        resolvers = try top.resolvers(Behaviour.init)
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

extension Behaviour {
    private static let keys = [
        "name", "base", "jitter", "sigma", "miss", "miss-delay", "recursion", "cold-cache", "found",
        "loss", "late", "late-delay", "duplicate", "wrong-id", "truncate", "servfail", "refuse",
        "nxdomain-rewrite", "silent", "ttl", "answers", "strata",
    ]

    init(_ section: TOMLSection) throws(CatalogueError) {
        try section.check(keys: Self.keys)
        self.init(name: try section.resolverName(), baseDelay: try section.delay("base") ?? .zero)
        jitter = try section.delay("jitter") ?? jitter
        sigma = try section.number("sigma", in: 0...5) ?? sigma
        missProbability = try section.probability("miss")
        (missDelayLow, missDelayHigh) = try section.delays("miss-delay")
        (recursionLow, recursionHigh) = try section.delays("recursion")
        coldCache = try section.bool("cold-cache") ?? coldCache
        found = try section.number("found", in: 0...1)
        lossProbability = try section.probability("loss")
        lateProbability = try section.probability("late")
        lateDelay = try section.delay("late-delay") ?? lateDelay
        duplicateProbability = try section.probability("duplicate")
        wrongIDProbability = try section.probability("wrong-id")
        truncateProbability = try section.probability("truncate")
        servfailProbability = try section.probability("servfail")
        refuse = try section.bool("refuse") ?? refuse
        nxdomainRewrite = try section.bool("nxdomain-rewrite") ?? nxdomainRewrite
        silent = try section.bool("silent") ?? silent
        ttl = try section.integer("ttl", in: 0...2_147_483_647).map { UInt32($0) } ?? ttl
        answers = try section.integer("answers", in: 0...200) ?? answers
        strata = try section.integer("strata", in: 1...1000) ?? strata
        try requireDelays(section)
    }

    /// Throws if a cache miss or a late answer has no delay: it would have no effect.
    private func requireDelays(_ section: TOMLSection) throws(CatalogueError) {
        if lateProbability > 0, lateDelay == .zero {
            throw section.fault("late", "'late' needs 'late-delay', such as late-delay = \"300ms\"")
        }
        if found != nil, recursionHigh == .zero {
            throw section.fault(
                "found",
                "a name that is not found in the cache needs 'recursion', such as recursion = "
                    + "[\"25ms\", \"90ms\"]"
            )
        }
        if missProbability > 0 || coldCache, missDelayHigh == .zero {
            throw section.fault(
                missProbability > 0 ? "miss" : "cold-cache",
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

    fileprivate func probability(_ key: String) throws(CatalogueError) -> Double {
        try number(key, in: 0...1) ?? 0
    }

    /// Two durations, the shorter first, or one duration for both. Zero if the key is absent.
    fileprivate func delays(_ key: String) throws(CatalogueError) -> (low: Duration, high: Duration)
    {
        let delays = try strings(key)?.map { text throws(CatalogueError) in
            try duration(of: text, key)
        }
        guard let delays else { return (.zero, .zero) }
        guard (1...2).contains(delays.count), let low = delays.first, let high = delays.last,
            low <= high, high <= Self.longestDelay
        else {
            throw fault(
                key,
                "'\(key)' has to be one duration or two, the shorter first,"
                    + " such as [\"60ms\", \"180ms\"]"
            )
        }
        return (low, high)
    }
}
