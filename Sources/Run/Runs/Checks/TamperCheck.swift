import Catalogue
import Integrity
import Measurement
import Processes
import Samples

/// Looks before the first round whether the way to the resolvers, and the candidates, tell the
/// truth: five queries to each of these at most, at the pace of the run.
package struct TamperCheck {
    private let order: RunOrder
    private let session: CheckSession

    /// How long an answer may take: who is slower remains unchecked.
    private static let timeout = Duration.seconds(1)
    /// The time that an examination may take beyond its queries at their pace.
    private static let patience = Duration.seconds(3)
    /// The most queries that a resolver without losses gets.
    private static let queries = 5

    init(_ order: RunOrder) throws {
        self.order = order
        session = try CheckSession(
            within: order.allowed,
            isLab: order.lab != nil,
            pace: order.plan.pace,
            timeout: Self.timeout
        )
    }

    /// Makes both checks for rounds that go on whatever is found, of which `warn` is told in a line
    /// each; returns, by label, how candidates were found not to tell the truth.
    package static func tampering(
        _ order: RunOrder,
        warn: (String) -> Void
    ) async -> [String: String] {
        guard let check = try? TamperCheck(order) else { return [:] }
        async let way = check.interception()
        var examined = await check.examined()
        if let finding = await way {
            warn("\(finding.conclusion) (\(finding.evidenceText)); the rounds go on")
            // What they were found to say may be somebody else's words.
            examined.removeAll { InterceptionCheck.concerns($0.resolver.endpoint) }
        }
        let tampering = check.truth(of: examined).tampering
        if !tampering.isEmpty {
            let liars = tampering.sorted { $0.key < $1.key }
                .map { "\($0) gives false answers: it \($1)" }
            warn(liars.joined(separator: "; "))
        }
        return tampering
    }

    /// The finding that somebody on the way answers for others on port 53; `nil` without one.
    func interception() async -> CheckFinding? {
        guard order.lab == nil, order.endpoints.contains(where: InterceptionCheck.concerns)
        else { return nil }
        let finding = try? await CheckSession.interception(within: order.allowed)
        return finding?.judgement == .fail ? finding : nil
    }

    func candidates() async -> CandidateTruth { truth(of: await examined()) }

    /// Asks each candidate, one at an address and port, for names that do not exist.
    private func examined() async -> [ResolverFindings] {
        let places = Dictionary(grouping: order.candidates, by: \.place)
        let asked = order.candidates.filter { places[$0.place]?.first == $0 }
        let gap = order.plan.pace.seconds(for: asked.count)
        let examiner = Examiner(session.questions, send: session.send())
        // Where it is cancelled, what was not asked stays inconclusive.
        let examining = Task { await examiner.examine(asked, [.rewriting]) }
        let ending = Task {
            try? await Task.sleep(for: Self.patience + .seconds(gap * Double(Self.queries)))
            examining.cancel()
        }
        defer { ending.cancel() }
        return await examining.cancellingValue
    }

    private func truth(of examined: [ResolverFindings]) -> CandidateTruth {
        var truth = CandidateTruth()
        for found in examined {
            for resolver in order.candidates where resolver.place == found.resolver.place {
                truth.add(found.finding(of: .rewriting), of: resolver.label)
            }
        }
        return truth
    }
}

package struct CandidateTruth: Sendable {
    /// The deeds of those found not to tell the truth, each as the rest of a sentence about it.
    package private(set) var tampering: [String: String] = [:]
    /// Those of whom it is not known.
    package private(set) var unchecked: Set<String> = []

    init() {}

    init(unchecked order: RunOrder) { unchecked = Set(order.candidates.map(\.label)) }

    fileprivate mutating func add(_ finding: CheckFinding?, of label: String) {
        switch finding?.judgement {
        case .pass: break
        case .fail: tampering[label] = finding?.invention
        case .inconclusive, nil: unchecked.insert(label)
        }
    }

    /// Adds what was found earlier in the same run; what was found last is told.
    package mutating func add(_ earlier: [String: String]) {
        tampering.merge(earlier) { last, _ in last }
    }
}

extension RunOrder {
    /// Those that the baseline is compared with.
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
