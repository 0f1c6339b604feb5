package import Catalogue
import DNSWire
import Failures
package import Integrity
import Processes
import Samples
import Transports

/// Carries the checks' queries over the transports, at a pace that resolvers may be asked.
package struct CheckSession {
    let questions: CheckQuestions
    let allowed: AllowedNetworks
    private let pace: Pace
    let timeout: Duration

    /// How long an answer may take where nothing else is asked for.
    private static let usualTimeout = Duration.seconds(2)

    /// Checks all before anything is sent. `networks` are those that may be asked; the names are the
    /// bundled ones, those that simulated resolvers know, or those of `file`.
    package init(
        _ options: RunOptions,
        for resolvers: [Resolver],
        within networks: AllowedNetworks,
        isLab: Bool = false,
        runsResolvers: Bool = false,
        names file: String? = nil
    ) throws {
        // The lab is there without a network, and nothing leaves this machine for it.
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

    /// With the bundled names, or those that simulated resolvers know.
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

    /// Whether port 53 is intercepted on the way: two queries to addresses that nobody has, which
    /// take until the timeout where all is well.
    static func interception(within allowed: AllowedNetworks) async throws -> CheckFinding {
        let session = try CheckSession(within: allowed)
        return await InterceptionCheck.finding(session.questions, send: session.send())
    }

    var turns: CheckTurns<ContinuousClock> { CheckTurns(pace, on: ContinuousClock()) }

    /// Sends one query at its turn; what is outside the allowed networks takes none.
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

    /// Makes the checks; an interruption ends them, and what was not asked stays inconclusive.
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
