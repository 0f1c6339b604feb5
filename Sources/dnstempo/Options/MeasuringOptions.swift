import ArgumentParser
import Catalogue
import Failures
import Runs
import Samples

/// A command that measures. Its option groups are direct members if possible: the parser describes a command
/// several times, and each level of nested groups multiplies the work.
protocol MeasuringCommand: AsyncParsableCommand {
    var choice: ResolverOptions { get }
    var names: NameOptions { get }
    var pacing: PacingOptions { get }
    var trust: TrustOptions { get }
    var message: MessageOptions { get }
    var place: PlaceOptions { get }
}

/// The given length of a run, and of a list whose names are queried once each.
typealias GivenLength = (rounds: Int?, duration: String?, interval: String?, names: Int?)
extension MeasuringCommand {
    /// The request that corresponds to the options. `certainty` belongs to a comparison.
    func request(
        _ length: GivenLength = (nil, nil, nil, nil),
        _ certainty: CertaintyOptions? = nil,
        usesCatalogue: Bool = false
    ) throws -> RunRequest {
        let options = try RunOptions(self, length)
        var request = RunRequest(try certainty?.added(to: options) ?? options)
        request.resolvers = choice.resolvers
        request.families = choice.family.families
        request.usesCatalogue = usesCatalogue
        request.lab = choice.lab
        request.campaign = place.campaign
        request.history = names.domainsFrom
        request.mayReadHistory = names.yes
        request.expectations = names.expectations
        request.trust.authority = trust.authority.file
        request.trust.pins = trust.pins
        request.trust.verifiesNothing = trust.insecure
        request.runsResolvers = pacing.pace.iRunTheseResolvers
        request.comparison = certainty?.request
        return request
    }
}

/// Resolvers to measure, and how to reach them.
struct ResolverOptions: ParsableArguments {
    @Argument(
        help: """
            Resolvers to query: names of 'dnstempo resolvers list' (NAME/all for every address), \
            system, addresses, HOST:PORT, udp://, tcp://, tls://, https://, quic:// or h3:// before \
            an address or a host, DNS stamps; LABEL= before any. (default: system, the gateway and \
            four public ones)
            """.naming("resolver"),
        completion: .resolvers
    )
    var resolvers: [String] = []

    @Option(
        help: "Resolver to compare with. (default: the current one, else the first)"
            .naming("resolver"),
        completion: .resolvers
    )
    var baseline: String?

    @Option(
        help: "Several of udp,tcp,tls,https,quic,h3; or all. (usual default: udp)"
            .naming("list"),
        completion: .list(["udp", "tcp", "tls", "https", "quic", "h3", "udp,tcp", "udp,tls", "all"])
    )
    var transport: String?

    @OptionGroup var family: FamilyOptions

    @Option(
        help: "Address or interface of this machine to query from; repeatable, to compare them."
            .naming("address").forExperts
    )
    var source: [String] = []

    @Option(
        help: "Mark the queries with this DSCP: 0 to 63, or a name such as EF or NQB."
            .naming("code").forExperts
    )
    var dscp: String?

    @OptionGroup var simulation: LabOption

    @OptionGroup var reach: ReachOption

    var lab: String? { simulation.lab }

    mutating func validate() { JoinedWords.split(&resolvers) }
}

struct LabOption: ParsableArguments {
    @Option(
        help: "Query simulated resolvers on this machine; the profile may be left out."
            .naming("profile"),
        completion: .file(orWords: LabProfile.bundledNames, suffix: ".toml")
    )
    var lab: String?
}

/// Number of rounds, and the time between them.
struct LengthOptions: ParsableArguments {
    @Option(
        help: "Number of rounds. (default: until sure; one resolver: 10; watch: no end)"
            .naming("n")
    )
    var rounds: Int?

    @Option(help: "Start rounds within this time, such as 30s, 5m or 2h.".naming("time"))
    var duration: String?

    @Option(
        help: "Interval between the starts of rounds. (default: 0s; watch: 5m)".naming("time")
    )
    var interval: String?

    var given: GivenLength { (rounds, duration, interval, nil) }
}

/// The length options of a command whose length comes from elsewhere. They are rejected with an explanation.
struct RefusedLength: ParsableArguments {
    @Option(help: .private) var rounds: Int?
    @Option(help: .private) var duration: String?
    @Option(help: .private) var interval: String?

    /// Throws if one of the options is given. `advice` follows its name.
    func refuse(_ advice: String) throws(Failure) {
        let given = [
            ("--rounds", rounds != nil), ("--duration", duration != nil),
            ("--interval", interval != nil),
        ].filter(\.1).map(\.0)
        guard let first = given.first else { return }
        throw Failure.usage("\(first): \(advice)")
    }
}

/// The pace of queries, and additional traffic.
struct PacingOptions: ParsableArguments {
    @OptionGroup var pace: PaceOptions

    @Option(help: "Timeout of a query, such as 500ms. (default: 5s)".naming("time"))
    var timeout: String?

    @Option(
        help: "Maximum warm-up queries per resolver and name. (default: 1)".naming("n").forExperts
    )
    var warmup: Int?

    @Option(
        help: "Seed of the order and times of sending. (default: random)".naming("n").forExperts
    )
    var seed: UInt64?

    @Option(
        help: """
            Times of the queries to a resolver: periodic, or poisson (exponential gaps, RFC 2330). \
            (default: periodic)
            """.naming("kind").forExperts,
        completion: .list(Sampling.allCases.map(\.rawValue))
    )
    var sampling: String?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Measure the network round trip to each resolver by TCP handshakes. (default: --floor)
            """.forExperts
    )
    var floor: Bool?
}

/// The vantage point, and the configuration of the run.
struct PlaceOptions: ParsableArguments {
    @Option(
        help: "Name of this vantage point; never sent. (default: the host name)"
            .naming("name").forExperts
    )
    var vantage: String?

    @Option(
        help: "Read resolvers, names and options from a file, or 2009-is-8888-faster."
            .naming("file"),
        completion: .file(orWords: Campaign.bundledNames, suffix: ".toml")
    )
    var campaign: String?
}

extension RunOptions {
    /// The options of the command line. Campaign and configuration may supply the other options.
    init(_ flags: some MeasuringCommand, _ length: GivenLength) throws {
        self.init()
        let (names, file) = (flags.names.domains, flags.names.domainsFile)
        self[.domains] = names.isEmpty ? file.map { .file($0) } : .names(names)
        self[.literalNames] = flags.names.literalNames ? true : nil
        self[.types] = flags.names.types.isEmpty ? nil : flags.names.types
        self[.rounds] = length.rounds
        try set(.duration, length.duration)
        try set(.interval, length.interval)
        try set(.timeout, flags.pacing.timeout)
        self[.floor] = flags.pacing.floor
        flags.pacing.pace.set(in: &self)
        self[.warmup] = flags.pacing.warmup
        self[.seed] = flags.pacing.seed
        try set(.sampling, flags.pacing.sampling)
        try set(.transports, flags.choice.transport)
        let sources = try flags.choice.source.map { try QuerySource.read($0, of: "--source") }
        self[.sources] = sources.isEmpty ? nil : sources.compactMap(\.self)
        try set(.dscp, flags.choice.dscp)
        try set(.bootstrap, flags.trust.bootstrap)
        try set(.connections, flags.trust.connections)
        try set(.httpMethod, flags.trust.httpMethod)
        try set(.tlsVersion, flags.trust.tlsVersion)
        self[.series] = try flags.names.series.map {
            try Series.list(parsing: $0).map(\.description)
        }
        self[.names] = length.names
        self[.zones] = flags.names.zones.isEmpty ? nil : flags.names.zones
        set(flags.message)
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
                length.rounds != nil && length.duration != nil,
            "--insecure verifies no certificate: leave out --ca":
                flags.trust.insecure && flags.trust.authority.file != nil,
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

/// Options with an optional value: `--lab` means `--lab default`.
///
/// ArgumentParser does not support them. The value is joined to its option before parsing, so that a resolver
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
    // Hidden options would not be completed either.
    private static let isForShells = CommandLine.arguments.contains {
        $0.contains("completion-script")
    }

    /// The same help, shown only in `--help-hidden`, the manual and completions.
    var forExperts: ArgumentHelp {
        var help = self
        help.visibility = Self.isForShells ? .default : .hidden
        return help
    }
}

extension Series {
    /// Parses words separated by commas. Each word counts once, in the order of the reports.
    static func list(parsing text: String) throws(Failure) -> [Series] {
        // --connections selects the connections on which first queries are measured.
        let choices: [Series] = [.cached, .uncached, .asFound]
        let advice = "cached, uncached, cached,uncached, or as-found"
        let wanted = try text.list(of: "--series", among: choices, advice: advice)
        return choices.filter(wanted.contains)
    }
}
