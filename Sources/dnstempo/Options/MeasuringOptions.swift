import ArgumentParser
import Catalogue
import DNSWire
import Samples

/// Options of every measuring command. Each is optional here, since a campaign or the configuration
/// may say it too; ``GivenOptions`` puts them together.
struct MeasuringOptions: ParsableArguments {
    @OptionGroup(title: "Resolvers") var choice: ResolverOptions
    @OptionGroup(title: "Names") var names: NameOptions
    @OptionGroup(title: "Length of the run") var length: LengthOptions
    @OptionGroup(title: "Encryption") var trust: TrustOptions
    @OptionGroup(title: "Queries") var message: MessageOptions
    @OptionGroup(title: "Place and configuration") var place: PlaceOptions
}

/// Resolvers to measure, and how they are reached.
struct ResolverOptions: ParsableArguments {
    @Argument(
        help: """
            Resolvers to query: names that 'dnstempo resolvers list' shows (NAME/all for every address), \
            system, an address, udp://, tcp://, tls://, https://, quic:// or h3:// before one, a DNS \
            stamp (sdns://), or LABEL= before any. (default: system, the gateway and four public ones)
            """.naming("resolver"),
        completion: .resolvers
    )
    var resolvers: [String] = []

    @Option(
        help: "Resolver to compare with. (default: the current one, else the first)"
            .naming("resolver")
    )
    var baseline: String?

    @Option(
        help: """
            udp, tcp, tls, https, quic, h3, several as udp,tls, or all that a resolver is known to \
            answer over. (default: as the resolver says, else udp)
            """.naming("list"),
        completion: .list(["udp", "tcp", "tls", "https", "quic", "h3", "udp,tcp", "udp,tls", "all"])
    )
    var transport: String?

    @OptionGroup var family: FamilyOptions

    @Option(
        help:
            "Ask simulated resolvers on this machine; the profile is hostile or a .toml file, or is left out."
            .naming("profile")
    )
    var lab: String?

    @OptionGroup var reach: ReachOption
}

/// Names to query.
struct NameOptions: ParsableArguments {
    @Option(
        name: [.short, .customLong("domain")],
        help: "Name to query; repeatable. (default: ten popular names)"
    )
    var domains: [String] = []

    @Option(
        name: .customLong("domains"),
        help: "File of names to query, one per line.".naming("file"),
        completion: .file()
    )
    var domainsFile: String?

    @Option(
        help: """
            The ten names visited most in your browser's history: firefox, chromium, or a path. \
            Nothing else is read out of it, and you are asked before.
            """.naming("browser"),
        completion: .list(["firefox", "chromium"])
    )
    var domainsFrom: String?

    @Flag(help: "Do not ask before --domains-from.")
    var yes = false

    @Option(
        name: [.short, .customLong("type")],
        help: "A record type; repeatable. (default: A)".naming("type"),
        completion: .list(["A", "AAAA", "HTTPS", "MX", "NS", "SOA", "SRV", "SVCB", "TXT"])
    )
    var types: [String] = []

    @Option(
        help: """
            cached, uncached (random names, which no resolver can know), or both as \
            cached,uncached. (default: cached)
            """.naming("list"),
        completion: .list(["cached", "uncached", "cached,uncached"])
    )
    var series: String?

    @Option(
        name: .customLong("zone"),
        help: "Unsigned zone for uncached names; repeatable. (default: ten large ones)"
            .naming("name")
    )
    var zones: [String] = []
}

/// Rounds, and their pace.
struct LengthOptions: ParsableArguments {
    @Option(help: "Number of rounds. (default: until sure; watch: no end)")
    var rounds: Int?

    @Option(help: "Start rounds within this time, such as 30s, 5m or 2h.")
    var duration: String?

    @Option(help: "Interval between the starts of rounds. (default: 0s; watch: 5m)")
    var interval: String?

    @OptionGroup var pace: PaceOptions

    @Option(help: "Timeout of a query, such as 500ms. (default: 5s)")
    var timeout: String?

    @Option(help: "Maximum warm-up queries per resolver and name. (default: 1)".forExperts)
    var warmup: Int?

    @Option(help: "Seed of the order and times of sending. (default: random)".forExperts)
    var seed: UInt64?
}

/// Additions to each query.
struct MessageOptions: ParsableArguments {
    @Flag(help: "Request DNSSEC records.".forExperts)
    var dnssec = false

    @Flag(help: "Request the name of the answering server (NSID).".forExperts)
    var nsid = false

    @Option(help: "Client subnet to send with queries (ECS).".naming("prefix").forExperts)
    var ecs: String?

    @Flag(name: .customLong("0x20"), help: "Mix upper and lower case in names (0x20).".forExperts)
    var randomCase = false
}

/// The vantage point, and the configuration of the run.
struct PlaceOptions: ParsableArguments {
    @Option(help: "Name of this vantage point; never sent. (default: the host name)")
    var vantage: String?

    @Option(
        help: "Configuration file, or a bundled one: 2009-is-8888-faster."
            .naming("file"),
        completion: .file(extensions: ["toml"])
    )
    var campaign: String?
}

extension RunOptions {
    /// The options of the command line; it leaves others to campaign and configuration.
    init(_ flags: MeasuringOptions) throws {
        self.init()
        let (names, file) = (flags.names.domains, flags.names.domainsFile)
        self[.domains] = names.isEmpty ? file.map { .file($0) } : .names(names)
        self[.types] = flags.names.types.isEmpty ? nil : flags.names.types
        self[.rounds] = flags.length.rounds
        try set(.duration, flags.length.duration)
        try set(.interval, flags.length.interval)
        try set(.timeout, flags.length.timeout)
        self[.rate] = flags.length.pace.rate
        self[.totalRate] = flags.length.pace.totalRate
        self[.warmup] = flags.length.warmup
        self[.seed] = flags.length.seed
        try set(.transports, flags.choice.transport)
        try set(.bootstrap, flags.trust.bootstrap)
        try set(.connections, flags.trust.connections)
        try set(.httpMethod, flags.trust.httpMethod)
        self[.series] = try flags.names.series.map {
            try Series.list(parsing: $0).map(\.description)
        }
        self[.zones] = flags.names.zones.isEmpty ? nil : flags.names.zones
        self[.dnssec] = flags.message.dnssec ? true : nil
        self[.nsid] = flags.message.nsid ? true : nil
        self[.ecs] = flags.message.ecs
        self[.mixedCase] = flags.message.randomCase ? true : nil
        self[.baseline] = flags.choice.baseline
        self[.vantage] = flags.place.vantage
        try set(.allowedNetworks, flags.choice.reach.allowNet)
        let other = names.isEmpty ? "--domains" : "--domain"
        try Failure.refuse([
            "--domain and --domains cannot be combined; give one": !names.isEmpty && file != nil,
            "\(other) and --domains-from cannot be combined; give one":
                flags.names.domainsFrom != nil && self[.domains] != nil,
            "--yes goes with --domains-from; leave it out": flags.names.yes
                && flags.names.domainsFrom == nil,
            "--rounds and --duration cannot be combined; give one":
                flags.length.rounds != nil && flags.length.duration != nil,
            "--duration 0: give a time above 0, as in 30s": self[.duration] == .zero,
        ])
        try check { key, text in
            Failure.usage(key == "domains" ? text : "--\(key == "types" ? "type" : key): \(text)")
        }
    }

    mutating func set<Value: TextValue>(_ option: RunOption<Value>, _ text: String?) throws {
        self[option] = try Value.read(text, of: "--\(option.key)")
    }
}

extension TextValue {
    /// Reads the value of an option or a variable, which an error then names.
    static func read(_ text: String?, of option: String) throws(Failure) -> Self? {
        do {
            return try text.map { text throws(CatalogueError) in try Self(parsing: text) }
        } catch {
            throw Failure.usage("\(option): \(error)")
        }
    }
}

extension RunOptions {
    /// Checks what a file's reader cannot know, such as what is a domain name; the error is what
    /// `fault` makes of the key and of what is wrong with it.
    func check(_ fault: (_ key: String, _ text: String) -> any Error) throws {
        if self[.rounds] != nil, self[.duration] != nil {
            throw fault("duration", "it and 'rounds' cannot be combined; give one")
        }
        if self[.rounds] != nil, self[.untilSure] == true {
            throw fault("until-sure", "it and 'rounds' cannot be combined; give 'max-rounds'")
        }
        func check(_ key: String, _ texts: [String]?, _ parse: (String) throws -> Void) throws {
            for text in texts ?? [] {
                do { try parse(text) } catch { throw fault(key, "\(error)") }
            }
        }
        if case .names(let names) = self[.domains] {
            try check("domains", names) { _ = try DomainName($0) }
        }
        try check("types", self[.types]) { _ = try RecordType(asked: $0) }
        try check("zone", self[.zones]) {
            _ = try UncachedQuery(under: try DomainName($0), type: .a)
        }
        try check("ecs", self[.ecs].map { [$0] }) { _ = try Network(parsing: $0) }
    }
}

extension RecordType {
    init(asked mnemonic: String) throws(Failure) {
        guard let type = RecordType(mnemonic: mnemonic), type.isQueryable else {
            throw Failure.usage(
                "'\(mnemonic)' is not a record type to ask for; "
                    + "write A, AAAA, TXT, HTTPS or TYPE65, say"
            )
        }
        self = type
    }
}

/// Options whose value may be left out: `--lab` means `--lab default`.
///
/// ArgumentParser has none; the value is joined to its option before parsing, so that a resolver
/// after a bare `--lab` stays a resolver.
enum OptionalValues {
    static func joined(_ arguments: some Sequence<String>) -> [String] {
        var joined: [String] = []
        var arguments = Array(arguments)[...]
        while let argument = arguments.popFirst() {
            if argument == "--" { return joined + [argument] + arguments }
            let isBare = argument == "--lab"
            let hasProfile = isBare && arguments.first.map(LabChoice.isProfile) ?? false
            let profile = hasProfile ? arguments.removeFirst() : LabChoice.standard
            joined.append(isBare ? "--lab=\(profile)" : argument)
        }
        return joined
    }
}

extension String {
    func naming(_ value: String) -> ArgumentHelp {
        ArgumentHelp(self, valueName: value)
    }

    var forExperts: ArgumentHelp { ArgumentHelp(self).forExperts }
}

extension ArgumentHelp {
    /// The same for `--help-hidden` and the manual alone.
    var forExperts: ArgumentHelp {
        var help = self
        help.visibility = .hidden
        return help
    }
}
