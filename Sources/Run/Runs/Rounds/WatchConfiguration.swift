package import Catalogue
import Failures
import Measurement

/// The order of a watch. It is built again on request, and when the machine's resolvers change.
package struct WatchConfiguration: Sendable {
    private var request: RunRequest
    private let console: any RunConsole
    /// Whether the caller ends the watch, instead of the options.
    private let isEndless: Bool
    package private(set) var order: RunOrder
    private var system: SystemResolvers
    /// The machine's resolvers for which the last attempt to build an order failed.
    private var failed: SystemResolvers?
    /// The store with the earlier addresses of resolvers.
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
        // The consent to read the history is valid for the whole watch.
        self.request.mayReadHistory = request.history != nil
        try check()
    }

    /// The time between the starts of rounds, if the pace does not need longer.
    var interval: Duration { order.options[.interval] ?? .seconds(300) }

    /// The time to send the queries of a round and of its warm-up.
    var length: Duration {
        var plan = order.plan
        (plan.rounds, plan.interval) = (1, .zero)
        return plan.estimatedDuration
    }

    /// Whether the watch ends after `rounds`. The next round would begin `time` after the start.
    func isOver(after rounds: Int, at time: Duration) -> Bool {
        guard !isEndless else { return false }
        let options = order.options
        return options[.rounds].map { rounds >= $0 } ?? false
            || options[.duration].map { time >= $0 } ?? false
    }

    /// Throws if the interval would send a resolver too many uncached queries.
    private func check() throws {
        let least = order.plan.uncachedInterval()
        guard order.lab == nil, order.plan.zoneCount > 0, interval < least else { return }
        throw Failure.usage(
            "--interval \(DurationText.format(interval)): each resolver gets at most "
                + "\(Plan.mostUncached) uncached names per hour; with these zones, give "
                + "\(DurationText.format(.seconds(Int64((least / .seconds(1)).rounded(.up))))) "
                + "or more"
        )
    }

    /// Reads campaign, configuration and names again. If this fails, the order does not change.
    mutating func reload() async throws {
        let now = SystemResolvers()
        order = try await preparedAgain()
        system = now
    }

    private func preparedAgain() async throws -> RunOrder {
        try await OrderBuilder(request, keeping: order.lab, console).order(remembering: rounds)
    }

    /// Follows changes of the machine's own resolvers, if they are queried. Returns the change in
    /// words. If this fails, it throws once, and tries again at each call.
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
