package import Catalogue
import DNSWire
import Samples

/// Examines resolvers, each at its own pace and all at the same time.
package struct Examiner: Sendable {
    private let questions: CheckQuestions
    private let send: CheckSend

    /// `send` waits for its turn by itself; ``CheckTurns`` tells when that is.
    package init(_ questions: CheckQuestions, send: @escaping CheckSend) {
        self.questions = questions
        self.send = send
    }

    /// Makes `checks` of each resolver, in the order of `resolvers`; `onEnd` is told of each that
    /// is done. Interception is looked for once, since it concerns the way and not a resolver.
    package func examine(
        _ resolvers: [Resolver],
        _ checks: Set<Check> = Set(Check.allCases),
        onEnd: @escaping @Sendable (Resolver) -> Void = { _ in }
    ) async -> [ResolverFindings] {
        var interception: CheckFinding?
        if checks.contains(.interception) {
            interception = await InterceptionCheck.finding(questions, send: send)
        }
        let questions = questions
        let send = send
        let examinations = await withTaskGroup(
            of: (Int, Examination).self,
            returning: [Examination].self
        ) { group in
            for (index, resolver) in resolvers.enumerated() {
                group.addTask {
                    let found = await Examination(of: resolver, checks, questions, send: send)
                    onEnd(resolver)
                    return (index, found)
                }
            }
            var found: [(Int, Examination)] = []
            for await one in group { found.append(one) }
            return found.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return Self.judged(examinations, checks, interception)
    }

    /// Holds each resolver's answers beside those of the others.
    private static func judged(
        _ examinations: [Examination],
        _ checks: Set<Check>,
        _ interception: CheckFinding?
    ) -> [ResolverFindings] {
        var answers = SeenAnswers()
        for (number, examination) in examinations.enumerated() {
            for test in examination.filtering?.tests ?? [] {
                let found = test.evidence.reply.response?.addresses ?? []
                answers.note(found, for: Question(name: test.name, type: .a), from: number)
            }
        }
        return examinations.enumerated().map { number, examination in
            var others = examinations
            others.remove(at: number)
            return examination.findings(
                checks,
                beside: others,
                blockPages: answers.blockPages(of: number),
                interception: examinations.contains(where: \.answers)
                    ? interception : interception?.withoutNetwork
            )
        }
    }
}

extension CheckFinding {
    /// Where no resolver answers, silence elsewhere proves nothing.
    fileprivate var withoutNetwork: CheckFinding {
        guard judgement == .pass else { return self }
        return CheckFinding(
            check,
            .inconclusive,
            "no resolver answers, so silence shows nothing",
            evidence
        )
    }
}
