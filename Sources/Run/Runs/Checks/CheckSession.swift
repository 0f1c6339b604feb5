package import Catalogue
import DNSWire
import Failures
package import Integrity
import Processes
import Samples
import Transports

/// Sends the queries of the checks over the transports, at a pace that resolvers permit.
package struct CheckSession {
    let questions: CheckQuestions
    let allowed: AllowedNetworks
    private let pace: Pace
    let timeout: Duration

    /// The default timeout of an answer.
    private static let usualTimeout = Duration.seconds(2)

    /// Checks all input before a query is sent. `networks` are the allowed networks. The names are
    /// the bundled names, the names for simulated resolvers, or the names of `file`.
    package init(
        _ options: RunOptions,
        for resolvers: [Resolver],
        within networks: AllowedNetworks,
        isLab: Bool = false,
        runsResolvers: Bool = false,
        names file: String? = nil
    ) throws {
        // The lab works without a network, and its packets never leave this machine.
        allowed = isLab ? networks.narrowed(to: try .loopback) : networks
        try allowed.check(resolvers)
        let names = isLab ? try CheckNames.lab() : try CheckNames.bundled()
        questions = try CheckQuestions(file.map { try names.replaced(byFile: $0) } ?? names)
        timeout = options[.timeout] ?? Self.usualTimeout
        guard (.milliseconds(1)...(.seconds(600))).contains(timeout) else {
            throw Failure.usage("--timeout: give a time from 1ms to 10m")
        }
        pace = try Pace(options, for: resolvers, simulated: isLab ? resolvers : nil, runsResolvers)
    }

    /// Creates a session with the bundled names, or with the names for simulated resolvers.
    init(
        within allowed: AllowedNetworks,
        isLab: Bool = false,
        pace: Pace = .polite,
        timeout: Duration = Self.usualTimeout
    ) throws {
        questions = try CheckQuestions(isLab ? .lab() : .bundled())
        self.allowed = isLab ? allowed.narrowed(to: try .loopback) : allowed
        self.pace = pace
        self.timeout = timeout
    }

    /// Whether port 53 is intercepted on the path. It sends two queries to addresses that no host
    /// has. Without interception they take until the timeout.
    static func interception(within allowed: AllowedNetworks) async throws -> CheckFinding {
        let session = try CheckSession(within: allowed)
        return await InterceptionCheck.finding(session.questions, send: session.send())
    }

    var turns: CheckTurns<ContinuousClock> { CheckTurns(pace, on: ContinuousClock()) }

    /// Sends one query at its turn. A query outside the allowed networks takes no turn.
    func send() -> CheckSend {
        let (turns, allowed, timeout) = (turns, allowed, timeout)
        return { endpoint, query in
            guard allowed.allows(endpoint.address) else { return Reply(.blocked) }
            await turns.wait(for: endpoint)
            guard !Task.isCancelled else { return Reply(.cancelled) }
            let transport = TransportFactory.plain(to: endpoint, allowed: allowed)
            let exchange = await transport.exchange(query, timeout: timeout)
            return Reply(exchange.result, wasTruncated: exchange.truncated != nil)
        }
    }

    /// Runs the checks. An interruption ends them, and checks that were not made stay inconclusive.
    package func examine(
        _ resolvers: [Resolver],
        _ checks: Set<Check> = Set(Check.allCases),
        onAsked: @escaping @Sendable (Resolver) -> Void
    ) async -> (findings: [ResolverFindings], interrupted: Bool) {
        let examiner = Examiner(questions, send: send())
        let examining = await Signals.whileRunning {
            Task {
                await examiner.examine(resolvers, checks, onEnd: onAsked)
            }
        }
        return (await examining.value, examining.isCancelled)
    }
}

extension AllowedNetworks {
    static var loopback: AllowedNetworks {
        get throws { try AllowedNetworks(parsing: "127.0.0.0/8,::1/128") }
    }
}
