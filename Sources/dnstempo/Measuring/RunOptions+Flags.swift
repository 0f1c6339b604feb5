import ArgumentParser
import Catalogue
import Samples

extension RunOptions {
    /// What the command line says; `nil` where it leaves a choice to campaign and configuration.
    init(_ flags: MeasuringOptions) throws {
        self.init()
        domains = flags.domains.isEmpty ? nil : flags.domains
        domainsFile = flags.domainsFile
        types = flags.types.isEmpty ? nil : flags.types
        rounds = flags.rounds
        duration = try Self.read(flags.duration, of: "--duration", DurationText.parse)
        interval = try Self.read(flags.interval, of: "--interval", DurationText.parse)
        timeout = try Self.read(flags.timeout, of: "--timeout", DurationText.parse)
        rate = flags.rate
        totalRate = flags.totalRate
        warmup = flags.warmup
        seed = flags.seed
        transports = try Self.read(
            flags.transport,
            of: "--transport",
            TransportChoice.init(parsing:)
        )
        bootstrap = try Self.read(flags.trust.bootstrap, of: "--bootstrap", Endpoint.init(parsing:))
        connections = try Self.read(
            flags.trust.connections,
            of: "--connections",
            ConnectionPolicy.init(parsing:)
        )
        httpMethod = try Self.read(
            flags.trust.httpMethod,
            of: "--http-method",
            HTTPMethod.init(parsing:)
        )
        series = try Self.read(flags.series, of: "--series", Series.list(parsing:))?
            .map(\.description)
        zones = flags.zones.isEmpty ? nil : flags.zones
        dnssec = flags.dnssec ? true : nil
        nsid = flags.nsid ? true : nil
        ecs = flags.ecs
        mixedCase = flags.randomCase ? true : nil
        baseline = flags.baseline
        vantage = flags.vantage
        allowedNetworks = try flags.reach.networks()
        guard domains == nil || domainsFile == nil else {
            throw Failure(.usage, "--domain and --domains exclude each other; give one")
        }
        guard flags.domainsFrom == nil || domains == nil && domainsFile == nil else {
            let other = domains == nil ? "--domains" : "--domain"
            throw Failure(.usage, "\(other) and --domains-from exclude each other; give one")
        }
        guard flags.domainsFrom != nil || !flags.yes else {
            throw Failure(.usage, "--yes goes with --domains-from; leave it out")
        }
        guard rounds == nil || duration == nil else {
            throw Failure(.usage, "--rounds and --duration exclude each other; give one")
        }
        guard duration != .zero else {
            throw Failure(.usage, "--duration 0: give a time above 0, as in 30s")
        }
        try check { key, text in
            Failure(.usage, key == "domains" ? text : "--\(key == "types" ? "type" : key): \(text)")
        }
    }

    /// Reads the value of an option or a variable, which an error then names.
    static func read<Value>(
        _ text: String?,
        of option: String,
        _ parse: (String) throws -> Value
    ) throws -> Value? {
        do {
            return try text.map(parse)
        } catch {
            throw Failure(.usage, "\(option): \(error)")
        }
    }
}
