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
        /// What a name with a random label adds, evenly spread: the way to its name servers.
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
        /// What a late answer takes on top.
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

    /// What fetching a name adds: at least `low`, at most `high`.
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
        resolvers = []
        for section in try top.tables("resolver") {
            let resolver = try Resolver(section)
            guard !resolvers.contains(where: { $0.name == resolver.name }) else {
                throw section.fault(
                    "name",
                    "there are two resolvers named \(resolver.name.quoted); rename one"
                )
            }
            resolvers.append(resolver)
        }
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
