import Catalogue
import Integrity
import Measurement
import Processes
import Samples

/// Checks before the first round whether the path to the resolvers and the candidates return true
/// answers. It sends at most five queries to each candidate, at the pace of the run.
package struct TamperCheck {
    private let order: RunOrder
    private let session: CheckSession

    /// The timeout of an answer. A slower resolver remains unchecked.
    private static let timeout = Duration.seconds(1)
    /// The additional time of an examination, beyond the time of its queries at their pace.
    private static let patience = Duration.seconds(3)
    /// The maximum number of queries to a resolver without packet loss.
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

    /// Makes both checks for rounds that continue with any result. `warn` receives the findings,
    /// one line each. Returns the tampering of candidates, by label.
    package static func tampering(
        _ order: RunOrder,
        warn: (String) -> Void
    ) async -> [String: String] {
        guard let check = try? TamperCheck(order) else { return [:] }
        async let way = check.interception()
        var examined = await check.examined()
        if let finding = await way {
            warn("\(finding.conclusion) (\(finding.evidenceText)); the rounds go on")
            // Their false answers may come from the device on the path.
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

    /// The finding that a device on the path answers for other resolvers on port 53; `nil` without
    /// such a finding.
    func interception() async -> CheckFinding? {
        guard order.lab == nil, order.endpoints.contains(where: InterceptionCheck.concerns)
        else { return nil }
        let finding = try? await CheckSession.interception(within: order.allowed)
        return finding?.judgement == .fail ? finding : nil
    }

    func candidates() async -> CandidateTruth { truth(of: await examined()) }

    /// Queries each candidate for names that do not exist, once per address and port.
    private func examined() async -> [ResolverFindings] {
        let places = Dictionary(grouping: order.candidates, by: \.place)
        let asked = order.candidates.filter { places[$0.place]?.first == $0 }
        let gap = order.plan.pace.seconds(for: asked.count)
        let examiner = Examiner(session.questions, send: session.send())
        // If it is cancelled, checks that were not made stay inconclusive.
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
    /// The tampering of each resolver with false answers, as the rest of a sentence about it.
    package private(set) var tampering: [String: String] = [:]
    /// The labels of resolvers whose check had no result.
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

    /// Adds the findings of an earlier check in the same run. The latest finding applies.
    package mutating func add(_ earlier: [String: String]) {
        tampering.merge(earlier) { last, _ in last }
    }
}

extension RunOrder {
    /// The resolvers that are compared with the baseline.
    fileprivate var candidates: [Resolver] {
        baseline == nil ? [] : resolvers.filter { $0.label != baseline }
    }
}

extension Resolver {
    /// The place of the resolver, which is equal for all transports.
    fileprivate var place: Endpoint {
        Endpoint(transport: .udp, address: endpoint.address, port: endpoint.port)
    }
}
