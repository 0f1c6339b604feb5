import ArgumentParser
import Catalogue
import Failures
import Samples
import Transports

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

    /// Credentials that verify certificates, but for `anybody`.
    func credentials(
        pins: Set<[UInt8]> = [],
        anybody: Bool = false
    ) throws(Failure) -> TLSCredentials {
        let trust = anybody ? .anybody : file.map { TLSCredentials.Trust.file($0) } ?? .system
        do {
            return try TLSCredentials(trust, pins: pins)
        } catch {
            throw Failure(file == nil ? .configuration : .noInput, error.reason)
        }
    }
}

struct ReachOption: ParsableArguments {
    @Option(
        help: """
            Send only within these networks, inside those of DNSTEMPO_ALLOW_NET, campaign and \
            configuration. (default: no limit)
            """.naming("cidr,...").forExperts
    )
    var allowNet: String?

    private static let variable = "DNSTEMPO_ALLOW_NET"

    /// The networks of a command with no other options than this one.
    func allowed(_ configuration: UserConfiguration) throws -> AllowedNetworks {
        var options = RunOptions()
        try options.set(.allowedNetworks, allowNet)
        return try Self.allowed(options.over(configuration.options))
    }

    /// Within the networks of the environment: a host that was locked down stays so.
    static func allowed(_ options: RunOptions) throws -> AllowedNetworks {
        try (environment() ?? .everywhere).narrowed(to: options[.allowedNetworks] ?? .everywhere)
    }

    static func environment() throws -> AllowedNetworks? {
        try AllowedNetworks.read(Environment[variable], of: variable)
    }

    /// The option's value as it has to be where this environment does not hold any more.
    static func narrowed(_ value: String) throws -> String {
        let networks = try AllowedNetworks.read(value, of: "--allow-net")
        guard let outer = try environment(), let networks else { return value }
        guard let common = outer.narrowed(to: networks).common else {
            throw Failure.usage(
                "--allow-net \(value): none of it is within \(variable) (\(outer)); name a network "
                    + "that is"
            )
        }
        return common
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

    /// Sets the rates asked for, as options of a run.
    func set(in options: inout RunOptions) {
        (options[.rate], options[.totalRate]) = (rate, totalRate)
    }

    /// The pace asked for, or the usual one, where the operators of `resolvers` agree to it.
    func pace(
        _ options: RunOptions,
        for resolvers: [Resolver],
        simulated: [Resolver]?
    ) throws -> Pace {
        let usual = simulated == nil ? Pace.polite : .lab(resolvers: resolvers.count)
        let pace = usual.changed(by: options)
        for (option, rate) in pace.named {
            if let fault = QueryRate.fault(rate, of: option) { throw Failure.usage(fault) }
        }
        for resolver in resolvers {
            try pace.checked(
                for: resolver.endpoint,
                isLab: simulated?.contains(resolver) ?? false,
                runsResolvers: iRunTheseResolvers
            )
        }
        return pace
    }
}

extension Pace {
    /// The pace that `options` ask for, as far as they do.
    func changed(by options: RunOptions) -> Pace {
        var pace = self
        if let rate = options[.rate] {
            pace.rate = rate
            // Who asks one resolver faster means to ask faster in all.
            pace.totalRate = max(pace.totalRate, rate)
        }
        pace.totalRate = options[.totalRate] ?? pace.totalRate
        return pace
    }
}

/// The addresses at which resolvers of the catalogue are asked; none for the usual choice.
struct FamilyOptions: ParsableArguments {
    @Flag(
        name: .customShort("4"),
        help: "Use IPv4 addresses of catalogue names; -4 -6: one of each."
    )
    var v4 = false

    @Flag(
        name: .customShort("6"),
        help: "Use IPv6 addresses of catalogue names; -4 -6: one of each."
    )
    var v6 = false

    var families: Set<IPAddress.Family> { Set((v4 ? [.v4] : []) + (v6 ? [.v6] : [])) }
}
