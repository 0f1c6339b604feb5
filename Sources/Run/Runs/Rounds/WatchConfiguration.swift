package import Catalogue
import Failures
import Measurement

/// The order of a watch, which is made again on request, and when the machine's resolvers change.
package struct WatchConfiguration: Sendable {
    private var request: RunRequest
    private let console: any RunConsole
    /// Whether somebody else tells when it is over, and not the options.
    private let isEndless: Bool
    package private(set) var order: RunOrder
    private var system: SystemResolvers
    /// The machine's resolvers of which no order could be made when they were found.
    private var failed: SystemResolvers?
    /// The store that knows where resolvers were asked before.
    private let rounds: @Sendable (RunOptions) throws -> String?

    package init(
        _ request: RunRequest,
        _ console: any RunConsole,
        isEndless: Bool = false,
        rounds: @escaping @Sendable (RunOptions) throws -> String?
    ) async throws {
        self.request = request
        self.console = console
        self.isEndless = isEndless
        self.rounds = rounds
        system = SystemResolvers()
        order = try await OrderBuilder(request, console).order(remembering: rounds)
        // Who agreed to have the history read did so for the whole watch.
        self.request.mayReadHistory = request.history != nil
        try check()
    }

    /// From start to start of rounds, where the pace does not need longer.
    var interval: Duration { order.options[.interval] ?? .seconds(300) }

    /// How long the queries of a round take to be sent, those of its warm-up too.
    var length: Duration {
        var plan = order.plan
        (plan.rounds, plan.interval) = (1, .zero)
        return plan.estimatedDuration
    }

    /// Whether no round follows after `rounds`, which would begin `time` after the start.
    func isOver(after rounds: Int, at time: Duration) -> Bool {
        guard !isEndless else { return false }
        let options = order.options
        return options[.rounds].map { rounds >= $0 } ?? false
            || options[.duration].map { time >= $0 } ?? false
    }

    /// Throws where uncached names would be asked for more often than a resolver should get them.
    private func check() throws {
        let least = order.plan.uncachedInterval()
        guard order.lab == nil, order.plan.zoneCount > 0, interval < least else { return }
        throw Failure.usage(
            "--interval \(DurationText.format(interval)): of uncached names a resolver is asked "
                + "\(Plan.mostUncached) an hour at most; with so many zones take "
                + "\(DurationText.format(.seconds(Int64((least / .seconds(1)).rounded(.up))))) "
                + "or more"
        )
    }

    /// Reads campaign, configuration and names again, or stays as it was.
    mutating func reload() async throws {
        let now = SystemResolvers()
        order = try await preparedAgain()
        system = now
    }

    private func preparedAgain() async throws -> RunOrder {
        try await OrderBuilder(request, keeping: order.lab, console).order(remembering: rounds)
    }

    /// Follows the machine's own resolvers where they are asked: what changed, in words. Where it
    /// cannot, it throws once and tries again each time.
    mutating func followSystem() async throws -> String? {
        guard order.resolvers.contains(where: \.isOfThisMachine) else { return nil }
        let now = SystemResolvers()
        guard now != system else { return nil }
        let changed: RunOrder
        do {
            changed = try await preparedAgain()
        } catch {
            guard failed != now else { return nil }
            failed = now
            throw error
        }
        (system, failed) = (now, nil)
        let difference = Self.difference(from: order.resolvers, to: changed.resolvers)
        if difference != nil { order = changed }
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
    fileprivate var isOfThisMachine: Bool {
        switch origin {
        case .system, .gateway: true
        case .catalogue, .lab, .address: false
        }
    }
}
