import ArgumentParser
import Catalogue

extension RunOptions {
    /// What the command line says; `nil` where it leaves a choice to campaign and configuration.
    init(_ flags: MeasuringOptions) throws {
        self.init()
        domains = flags.domains.isEmpty ? nil : flags.domains
        domainsFile = flags.domainsFile
        types = flags.types.isEmpty ? nil : flags.types
        rounds = flags.rounds
        duration = try flags.duration.map { try DurationText.parse($0, option: "--duration") }
        interval = try flags.interval.map { try DurationText.parse($0, option: "--interval") }
        timeout = try flags.timeout.map { try DurationText.parse($0, option: "--timeout") }
        rate = flags.rate
        totalRate = flags.totalRate
        warmup = flags.warmup
        seed = flags.seed
        transports = try flags.transport.map(Self.transports)
        dnssec = flags.dnssec ? true : nil
        nsid = flags.nsid ? true : nil
        ecs = flags.ecs
        mixedCase = flags.randomCase ? true : nil
        baseline = flags.baseline
        vantage = flags.vantage
        if let text = flags.allowNet ?? Environment["DNSTEMPO_ALLOW_NET"] {
            allowedNetworks = try AllowedNetworks(parsing: text)
        }
    }

    private static func transports(_ list: String) throws -> [TransportKind] {
        try list.split(separator: ",").map { name in
            guard let kind = TransportKind(rawValue: String(name)) else {
                throw Failure(.usage, "--transport: '\(name)' is none; write udp, tcp or udp,tcp")
            }
            return kind
        }
    }
}

extension DurationText {
    /// Reads the value of an option, which an error then names.
    fileprivate static func parse(_ text: String, option: String) throws -> Duration {
        do {
            return try parse(text)
        } catch {
            throw Failure(.usage, "\(option): \(error)")
        }
    }
}
