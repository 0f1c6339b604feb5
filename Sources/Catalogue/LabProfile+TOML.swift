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
        guard let texts = try strings(key) else { return nil }
        var delays: [Duration] = []
        for text in texts {
            do {
                delays.append(try DurationText.parse(text))
            } catch {
                throw fault(key, "'\(key)': \(error)")
            }
        }
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
