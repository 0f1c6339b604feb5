import Catalogue
import DNSWire
import Failures
import Measurement
import Processes
import Samples
import Synchronization
import Transports

/// The zones for random names: the user's zones, or the bundled ones.
struct ZoneChoice {
    let zones: [DomainName]
    private let isOwn: Bool

    /// The minimum number of bundled zones. With fewer, one distant zone would decide the result. A
    /// user may name one zone.
    private static let fewest = 5

    init(_ options: RunOptions) throws {
        isOwn = options[.zones] != nil
        let names = try options[.zones] ?? NameList.bundledZones().entries.map(\.name)
        zones = try names.map { try DomainName($0) }.uniqued
    }

    /// The usable zones, with notes about the others. A zone is usable if a query with DO showed it
    /// to be unsigned at every resolver that answered. Each resolver is queried once for a random
    /// name under each zone, at the plan's pace. The resolver thereby finds the zone's name servers
    /// too. If the usable zones are too few, the result is empty.
    func usable(_ plan: Plan, _ resolvers: [Resolver], _ factory: TransportFactory) async throws
        -> (zones: [DomainName], notes: [String])
    {
        let findings = try await findings(plan, resolvers, factory)
        let usable = zip(zones, findings).filter { $0.1 == .unsigned }.map(\.0)
        let signed = zip(zones, findings).filter { $0.1 == .signed }.map(\.0)
        if isOwn, usable.isEmpty, !signed.isEmpty {
            throw Failure.usage(
                "--zone \(signed[0]): it is signed, and a resolver may answer for names there "
                    + "without asking (RFC 8198); name a zone that is not"
            )
        }
        var notes = findings.uniqued.compactMap { finding -> String? in
            guard let reason = finding.reason else { return nil }
            let names = zip(zones, findings).filter { $0.1 == finding }.map(\.0.description)
            return "not used for uncached names: \(names.joined(separator: ", ")), \(reason)"
        }
        if usable.count >= (isOwn ? 1 : Self.fewest) { return (usable, notes) }
        notes.append(
            "uncached names are not tested, since \(usable.count) of \(zones.count) zones can be "
                + "used; name one of your own with --zone"
        )
        return ([], notes)
    }

    private func findings(
        _ plan: Plan,
        _ resolvers: [Resolver],
        _ factory: TransportFactory
    ) async throws -> [ZoneFinding] {
        var options = QueryOptions()
        options.dnssecOK = true
        let queries = try zones.map { try UncachedQuery(under: $0, type: .a, options: options) }
        let transports = resolvers.map { factory.transport(to: $0, in: .uncached) }
        let findings = Mutex([ZoneFinding](repeating: .silent, count: zones.count))
        let timeout = min(plan.timeout, .seconds(2))
        let runner = Runner(
            plan: plan,
            run: Run(id: "", vantage: "", timeout: timeout),
            start: .now
        )
        _ = await Task(executorPreference: EventLoop.shared) {
            await runner.run(on: EventLoopClock()) { probe, _ in
                let transport = transports[probe.target]
                let exchange = await transport.exchange(
                    queries[probe.question].next(),
                    timeout: timeout
                )
                findings.withLock { $0[probe.question].add(ZoneFinding(exchange.result)) }
                return Observation(of: exchange)
            }
        }.cancellingValue
        return findings.withLock { $0 }
    }
}

/// The state of a zone, from the answers for a random name under it.
enum ZoneFinding: Hashable {
    case silent
    case failed(ResponseCode)
    case unsigned
    case signed

    init(_ result: Exchange.Result) {
        switch result {
        case .response(let response) where response.hasSignatures: self = .signed
        case .response(let response) where [.noError, .nxDomain].contains(response.code):
            self = .unsigned
        case .response(let response): self = .failed(response.code)
        default: self = .silent
        }
    }

    /// Adds the finding of another resolver. A signature from one resolver counts, because the
    /// others may have dropped it.
    mutating func add(_ other: ZoneFinding) {
        switch (self, other) {
        case (.signed, _), (_, .silent), (.unsigned, .failed): break
        default: self = other
        }
    }

    var reason: String? {
        switch self {
        case .silent: "since no resolver answered for it"
        case .failed(let code): "since the resolvers answer \(code) for it"
        case .signed: "since it is signed: a resolver may answer without asking (RFC 8198)"
        case .unsigned: nil
        }
    }
}
