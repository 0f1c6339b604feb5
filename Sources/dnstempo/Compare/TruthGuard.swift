import Catalogue
import Integrity
import Measurement
import Samples

/// Looks before a comparison whether the way to the resolvers, and the candidates, tell the truth.
struct TruthGuard {
    private let settings: Settings
    private let session: CheckSession

    /// How long an answer may take: who is slower remains unchecked.
    private static let timeout = Duration.seconds(1)
    /// What an examination may take beyond its queries at their pace.
    private static let patience = Duration.seconds(3)
    /// The most queries that a resolver without losses gets.
    private static let queries = 5

    init(_ settings: Settings) throws {
        self.settings = settings
        session = try CheckSession(
            within: settings.allowed,
            isLab: settings.lab != nil,
            pace: Pace(rate: settings.plan.rate, totalRate: settings.plan.totalRate),
            timeout: Self.timeout
        )
    }

    /// Whether port 53 is intercepted; `nil` where nobody is asked through it.
    func interception() async -> CheckFinding? {
        guard settings.lab == nil, settings.endpoints.contains(where: InterceptionCheck.concerns)
        else { return nil }
        return try? await CheckSession.interception(within: settings.allowed)
    }

    /// Throws where somebody on the way answers in the place of others: to compare these is to
    /// compare one with itself.
    static func pass(_ finding: CheckFinding?) throws(Failure) {
        guard let finding, finding.judgement == .fail else { return }
        throw Failure(
            .noResolver,
            "\(finding.conclusion) (\(finding.evidenceText)); compare from another network, or "
                + "measure all the same with --no-check"
        )
    }

    /// Asks each candidate for names that do not exist, at the pace of the run; one at an address
    /// and port, whatever its labels.
    func candidates() async -> CandidateTruth {
        let candidates = settings.candidates
        var places: [Endpoint: [String]] = [:]
        for candidate in candidates {
            places[candidate.place, default: []].append(candidate.label)
        }
        let asked = candidates.filter { places[$0.place]?.first == $0.label }
        let plan = settings.plan
        let gap = max(1 / plan.rate, Double(asked.count) / plan.totalRate)
        let examining = Task { [session] in await session.findings(of: asked, [.rewriting]) }
        let ending = Task {
            try? await Task.sleep(for: Self.patience + .seconds(gap * Double(Self.queries)))
            examining.cancel()
        }
        defer { ending.cancel() }
        var truth = CandidateTruth()
        for found in await examining.value {
            let labels = places[found.resolver.place] ?? []
            for label in labels { truth.add(found.finding(of: .rewriting), of: label) }
        }
        return truth
    }
}

/// What is known of the candidates' truth, by their labels.
struct CandidateTruth {
    /// What each does that was found not to tell the truth, as the rest of a sentence about it.
    private(set) var untruths: [String: String] = [:]
    /// Those of whom it is not known.
    private(set) var unchecked: Set<String> = []

    /// Nobody was asked.
    static func unchecked(_ settings: Settings) -> CandidateTruth {
        var truth = CandidateTruth()
        truth.unchecked = Set(settings.candidates.map(\.label))
        return truth
    }

    fileprivate mutating func add(_ finding: CheckFinding?, of label: String) {
        switch finding?.judgement {
        case .pass: break
        case .fail: untruths[label] = finding?.invention
        case .inconclusive, nil: unchecked.insert(label)
        }
    }

    /// Adds what was found earlier in the same run; what was found last is told.
    mutating func add(_ earlier: [String: String]) { untruths.merge(earlier) { last, _ in last } }
}

extension Settings {
    /// Whom the baseline is compared with.
    fileprivate var candidates: [Resolver] {
        baseline == nil ? [] : resolvers.filter { $0.label != baseline }
    }
}

extension Resolver {
    /// The same for all ways to carry a message there.
    fileprivate var place: Endpoint {
        Endpoint(transport: .udp, address: endpoint.address, port: endpoint.port)
    }
}
