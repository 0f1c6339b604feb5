import ArgumentParser
import Catalogue
import Runs

struct TrustOptions: ParsableArguments {
    @Option(
        help: "Connections to measure: reuse, fresh or resume. (default: reuse and fresh)"
            .naming("policy"),
        completion: .list(["fresh", "reuse", "resume"])
    )
    var connections: String?

    @Option(
        name: .customLong("http-method"),
        help: "HTTP method: post, or get by the URL. (default: post)"
            .naming("method").forExperts,
        completion: .list(["post", "get"])
    )
    var httpMethod: String?

    @Option(
        name: .customLong("tls-version"),
        help: "Only version of TLS for tls and https: 1.2 or 1.3. (default: both)"
            .naming("version").forExperts,
        completion: .list(["1.2", "1.3"])
    )
    var tlsVersion: String?

    @Option(
        help: """
            Resolver to ask, over UDP, for the addresses of host names as in tls://dns.example or \
            router.example:53; once, before anything is timed. (default: the system)
            """.naming("address").forExperts
    )
    var bootstrap: String?

    @OptionGroup var authority: AuthorityOption

    @Option(
        name: .customLong("pin"),
        help: "Pinned SHA-256 of a certificate's key (SPKI, base64); repeatable."
            .naming("base64").forExperts
    )
    var pins: [String] = []

    @Flag(help: "Do not verify certificates; results are marked unverified.")
    var insecure = false
}

struct AuthorityOption: ParsableArguments {
    @Option(
        name: .customLong("ca"),
        help: "File of trusted certificate authorities. (default: the system's)"
            .naming("file"),
        completion: .file(extensions: ["pem", "crt"])
    )
    var file: String?
}

struct ReachOption: ParsableArguments {
    @Option(
        help: """
            Send only within these networks, inside those of DNSTEMPO_ALLOW_NET, campaign and \
            configuration. (default: no limit)
            """.naming("cidr,...").forExperts
    )
    var allowNet: String?

    /// The allowed networks of a command without other options.
    func allowed(_ configuration: UserConfiguration) throws -> AllowedNetworks {
        var options = RunOptions()
        try options.set(.allowedNetworks, allowNet)
        return try AllowedNetworks.of(options.over(configuration.options))
    }
}

struct PaceOptions: ParsableArguments {
    @Option(
        help: "Maximum queries per second to one resolver. (default: 5; lab: 50)"
            .naming("q/s")
    )
    var rate: Double?

    @Option(
        help: "Maximum queries per second in total. (default: 15; lab: 50 each)".naming("q/s")
            .forExperts
    )
    var totalRate: Double?

    @Flag(help: "Allow more than 20 queries per second to one resolver.".forExperts)
    var iRunTheseResolvers = false

    /// Sets the requested rates as options of a run.
    func set(in options: inout RunOptions) {
        (options[.rate], options[.totalRate]) = (rate, totalRate)
    }
}

/// The address families for resolvers of the catalogue. Without a value, the default applies.
struct FamilyOptions: ParsableArguments {
    @Flag(
        name: .customShort("4"),
        help: "IPv4 for catalogue names; -4 -6: one of each."
    )
    var v4 = false

    @Flag(
        name: .customShort("6"),
        help: "IPv6 for catalogue names; -4 -6: one of each."
    )
    var v6 = false

    var families: Set<IPAddress.Family> { Set((v4 ? [.v4] : []) + (v6 ? [.v6] : [])) }
}
