import Catalogue
import DNSWire
import Failures
import Integrity
import Measurement
import Samples
import Transports

/// Carries the checks' queries over the transports, at a pace that resolvers may be asked.
struct CheckSession {
    let questions: CheckQuestions
    let allowed: AllowedNetworks
    private let pace: Pace
    let timeout: Duration

    /// How long an answer may take where nothing else is asked for.
    private static let usualTimeout = Duration.seconds(2)

    /// All is checked before anything is sent.
    init(_ flags: CheckOptions, for resolvers: [Resolver], isLab: Bool = false) throws {
        let configuration = try UserConfiguration.current()
        let networks = try flags.reach.allowed(configuration)
        // The lab is there without a network, and nothing leaves this machine for it.
        allowed = isLab ? networks.narrowed(to: try .loopback) : networks
        try allowed.check(resolvers)
        let names = isLab ? try CheckNames.lab() : try CheckNames.bundled()
        questions = try CheckQuestions(flags.checks.map { try names.replaced(byFile: $0) } ?? names)
        timeout =
            try Duration.read(flags.timeout, of: "--timeout")
            ?? Self.usualTimeout
        guard (.milliseconds(1)...(.seconds(600))).contains(timeout) else {
            throw Failure.usage("--timeout: give a time from 1ms to 10m")
        }
        var paced = RunOptions()
        flags.pace.set(in: &paced)
        pace = try flags.pace.pace(
            paced.over(configuration.options),
            for: resolvers,
            simulated: isLab ? resolvers : nil
        )
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
    func examine(
        _ resolvers: [Resolver],
        _ checks: Set<Check> = Set(Check.allCases)
    ) async -> (findings: [ResolverFindings], interrupted: Bool) {
        let examiner = Examiner(questions, send: send())
        let showsProgress = Terminal.error.isTerminal
        let examining = await Signals.whileRunning {
            Task {
                await examiner.examine(resolvers, checks) { resolver in
                    if showsProgress { try? Terminal.error.write("asked \(resolver.label)\n") }
                }
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
