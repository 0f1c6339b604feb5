/// Simulated resolvers as a file describes them; values only, the lab gives them life.
public struct LabProfile: Hashable, Sendable {
    /// How one simulated resolver answers: after base + jitter·exp(σ·z), z standard normal.
    public struct Resolver: Hashable, Sendable {
        public var name: String
        public var base = Duration.zero
        public var jitter = Duration.zero
        public var sigma = 0.5
        /// How often a cached name has to be fetched again, and what that adds, evenly spread.
        public var miss = 0.0
        public var missDelay = MissDelay()
        /// What a name with a random label adds, evenly spread: the way to its name servers.
        public var recursion = MissDelay()
        /// Whether the first query of a name, and the first after its TTL, is a miss.
        public var coldCache = false
        /// Probabilities per query.
        public var loss = 0.0
        public var late = 0.0
        public var duplicate = 0.0
        public var wrongID = 0.0
        public var truncate = 0.0
        public var servfail = 0.0
        /// What a late answer takes on top.
        public var lateDelay = Duration.zero
        public var refuse = false
        public var nxdomainRewrite = false
        public var silent = false
        /// Seconds.
        public var ttl: UInt32 = 300
        /// Addresses in an answer.
        public var answers = 1
        /// Delays are drawn in blocks of this many, evenly over their distribution.
        public var strata = 20

        public init(name: String) { self.name = name }
    }

    /// What fetching a name adds: at least `low`, at most `high`.
    public struct MissDelay: Hashable, Sendable {
        public var low = Duration.zero
        public var high = Duration.zero
    }

    /// The file's name, or the name of a bundled profile.
    public var name: String
    public var resolvers: [Resolver]
    /// Which of them is "what you use now".
    public var baseline: String?
    public var seed: UInt64?

    /// The profiles that are part of the program, the default first.
    public static let bundledNames = bundled.map(\.name)

    private static let bundled = [
        NamedText(name: "default", bundled: PackageResources.default_toml),
        NamedText(name: "hostile", bundled: PackageResources.hostile_toml),
    ]

    /// Reads a bundled profile by its name, or a file by its path.
    ///
    /// `missingInput` where there is neither, `configuration` where the content cannot be used.
    public init(_ nameOrPath: String = "default") throws(CatalogueError) {
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
