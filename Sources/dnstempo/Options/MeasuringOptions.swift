import ArgumentParser
import Catalogue
import DNSWire
import Samples

/// Options of every measuring command. Each is optional here, since a campaign or the configuration
/// may say it too; ``GivenOptions`` puts them together.
struct MeasuringOptions: ParsableArguments {
    @Argument(
        help: """
            Whom to ask: names that 'dnstempo resolvers list' shows (NAME/all for every address), \
            system, an address, udp://, tcp://, tls://, https://, quic:// or h3:// before one, a DNS \
            stamp (sdns://), or LABEL= before any. (default: system, the gateway and four public ones)
            """.naming("resolver"),
        completion: .resolvers
    )
    var resolvers: [String] = []

    @Option(
        name: [.short, .customLong("domain")],
        help: "A name to ask for; repeatable. (default: ten that many ask for)"
    )
    var domains: [String] = []

    @Option(
        name: .customLong("domains"),
        help: "A file of names, one a line.".naming("file"),
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

    @Option(help: "Exactly so many rounds. (default: until sure; watch: no end)")
    var rounds: Int?

    @Option(help: "As many rounds as start within this time, such as 30s, 5m or 2h.")
    var duration: String?

    @Option(help: "Start to start of rounds, or as the pace needs. (default: 0s; watch: 5m)")
    var interval: String?

    @OptionGroup var pace: PaceOptions

    @Option(help: "How long an answer may take, such as 500ms. (default: 5s)")
    var timeout: String?

    @Option(
        help: """
            At most so many queries per resolver and name before the first that counts. (default: 1)
            """
    )
    var warmup: Int?

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
        help: "An unsigned zone for uncached names; repeatable. (default: ten large ones)"
            .naming("name")
    )
    var zones: [String] = []

    @Option(help: "Fixes the order and the times of sending. (default: random)")
    var seed: UInt64?

    @OptionGroup var family: FamilyOptions

    @Option(
        help: """
            udp, tcp, tls, https, quic, h3, several as udp,tls, or all that a resolver is known to \
            answer over. (default: as the resolver says, else udp)
            """.naming("list"),
        completion: .list(["udp", "tcp", "tls", "https", "quic", "h3", "udp,tcp", "udp,tls", "all"])
    )
    var transport: String?

    @OptionGroup var trust: TrustOptions

    @Flag(help: "Ask for DNSSEC records.")
    var dnssec = false

    @Flag(help: "Ask which server of the service answers (NSID).")
    var nsid = false

    @Option(help: "Tell resolvers that the query is for this network (ECS).".naming("prefix"))
    var ecs: String?

    @Flag(name: .customLong("0x20"), help: "Mix the case of the names' letters.")
    var randomCase = false

    @Option(
        help: "What the others are compared with. (default: the one in use, else the first)"
            .naming("resolver")
    )
    var baseline: String?

    @Option(help: "A name for this place; never sent anywhere. (default: the host name)")
    var vantage: String?

    @Option(
        help: "A file of options and resolvers, or a bundled one: 2009-is-8888-faster."
            .naming("file"),
        completion: .file(extensions: ["toml"])
    )
    var campaign: String?

    @Option(
        help:
            "Ask simulated resolvers on this machine; the profile is hostile or a .toml file, or is left out."
            .naming("profile")
    )
    var lab: String?

    @OptionGroup var reach: ReachOption
}

extension RunOptions {
    /// The options of the command line; it leaves others to campaign and configuration.
    init(_ flags: MeasuringOptions) throws {
        self.init()
        let (names, file) = (flags.domains, flags.domainsFile)
        self[.domains] = names.isEmpty ? file.map { .file($0) } : .names(names)
        self[.types] = flags.types.isEmpty ? nil : flags.types
        self[.rounds] = flags.rounds
        try set(.duration, flags.duration)
        try set(.interval, flags.interval)
        try set(.timeout, flags.timeout)
        self[.rate] = flags.pace.rate
        self[.totalRate] = flags.pace.totalRate
        self[.warmup] = flags.warmup
        self[.seed] = flags.seed
        try set(.transports, flags.transport)
        try set(.bootstrap, flags.trust.bootstrap)
        try set(.connections, flags.trust.connections)
        try set(.httpMethod, flags.trust.httpMethod)
        self[.series] = try flags.series.map { try Series.list(parsing: $0).map(\.description) }
        self[.zones] = flags.zones.isEmpty ? nil : flags.zones
        self[.dnssec] = flags.dnssec ? true : nil
        self[.nsid] = flags.nsid ? true : nil
        self[.ecs] = flags.ecs
        self[.mixedCase] = flags.randomCase ? true : nil
        self[.baseline] = flags.baseline
        self[.vantage] = flags.vantage
        try set(.allowedNetworks, flags.reach.allowNet)
        let other = names.isEmpty ? "--domains" : "--domain"
        try Failure.refuse([
            "--domain and --domains cannot be combined; give one": !names.isEmpty && file != nil,
            "\(other) and --domains-from cannot be combined; give one":
                flags.domainsFrom != nil && self[.domains] != nil,
            "--yes goes with --domains-from; leave it out": flags.yes && flags.domainsFrom == nil,
            "--rounds and --duration cannot be combined; give one":
                flags.rounds != nil && flags.duration != nil,
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
}
