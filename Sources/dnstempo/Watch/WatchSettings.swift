import Catalogue
import Measurement
import Samples

/// What a watch asks: read again when it is told to, or when the machine's own resolvers changed.
struct WatchSettings {
    private var flags: MeasuringOptions
    private(set) var settings: Settings
    /// This machine's, when the settings were last made.
    private var system: SystemResolvers
    /// The store that knows where resolvers were asked before.
    private let rounds: @Sendable (RunOptions) throws -> String?

    init(
        _ flags: MeasuringOptions,
        rounds: @escaping @Sendable (RunOptions) throws -> String?
    ) async throws {
        self.flags = flags
        self.rounds = rounds
        system = SystemResolvers()
        settings = try await Settings(flags, rounds: rounds)
        // Who agreed to have the history read did so for the whole watch.
        self.flags.yes = flags.domainsFrom != nil
        try check()
    }

    /// From start to start of rounds, where the pace does not need longer.
    var interval: Duration { settings.options.interval ?? .seconds(300) }

    /// How long the queries of a round take to be sent, those of its warm-up too.
    var length: Duration {
        var plan = settings.plan
        plan.rounds = 1
        return plan.estimatedDuration
    }

    /// Whether the watch ends before a round that would be the next after `rounds`, and begin at
    /// `time` from its start.
    func isOver(after rounds: Int, at time: Duration) -> Bool {
        let options = settings.options
        return options.rounds.map { rounds >= $0 } ?? false
            || options.duration.map { time >= $0 } ?? false
    }

    /// Throws where uncached names would be asked for more often than a resolver should get them.
    private func check() throws {
        let least = settings.plan.uncachedInterval()
        guard settings.lab == nil, settings.plan.zoneCount > 0, interval < least else { return }
        throw Failure(
            .usage,
            "--interval \(DurationText.format(interval)): of uncached names a resolver is asked "
                + "\(Plan.mostUncached) an hour at most; with so many zones take "
                + "\(DurationText.format(.seconds(Int64((least / .seconds(1)).rounded(.up))))) "
                + "or more"
        )
    }

    /// Reads campaign, configuration and names again; throws, and stays as it was, where they
    /// cannot be used.
    mutating func reload() async throws {
        system = SystemResolvers()
        settings = try await Settings(flags, keeping: settings.lab, rounds: rounds)
    }

    /// Looks whether the machine's own resolvers are others by now, if they are asked: what changed,
    /// in words.
    mutating func followSystem() async throws -> String? {
        guard settings.resolvers.contains(where: \.isOfThisMachine) else { return nil }
        let now = SystemResolvers()
        guard now != system else { return nil }
        system = now
        let changed = try await Settings(flags, keeping: settings.lab, rounds: rounds)
        let difference = Self.difference(from: settings.resolvers, to: changed.resolvers)
        if difference != nil { settings = changed }
        return difference
    }

    private static func difference(from old: [Resolver], to new: [Resolver]) -> String? {
        func isSame(_ left: Resolver, _ right: Resolver) -> Bool {
            left.label == right.label && left.endpoint.transport == right.endpoint.transport
        }
        let changes = new.compactMap { resolver -> String? in
            guard let before = old.first(where: { isSame($0, resolver) }) else {
                return "\(resolver.label) (\(resolver.endpoint)) is asked from now on"
            }
            return before.endpoint == resolver.endpoint
                ? nil : "\(resolver.label) is now \(resolver.endpoint), was \(before.endpoint)"
        }
        let gone = old.filter { resolver in !new.contains { isSame($0, resolver) } }
            .map { "\($0.label) (\($0.endpoint)) is not asked any more" }
        let all = changes + gone
        return all.isEmpty ? nil : all.joined(separator: "; ")
    }
}

extension Resolver {
    /// Whether its address is what this machine was told to use.
    fileprivate var isOfThisMachine: Bool {
        switch origin {
        case .system, .gateway: true
        case .catalogue, .address: false
        }
    }
}
