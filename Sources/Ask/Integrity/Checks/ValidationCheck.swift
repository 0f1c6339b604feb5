import DNSWire

/// Names with correct and wrong signatures.
struct ValidationCheck {
    /// The verdict from one operator's test names.
    enum Verdict: Hashable {
        case validates
        case doesNot
        case unclear(String)
    }

    /// The replies for one zone. A query that is not needed is not sent.
    struct Zone: Sendable {
        var good: Evidence
        var bad: Evidence?
        /// The bad name with checking disabled, which shows whether the name exists.
        var unchecked: Evidence?

        /// The verdict, for which all three replies must agree. A test zone that is down therefore
        /// does not count as validation.
        var verdict: Verdict {
            guard good.reply.resolves, let bad else {
                return .unclear("the good name does not resolve")
            }
            if bad.reply.resolves { return .doesNot }
            guard bad.reply.response?.code == .servFail else {
                return .unclear("the bad name is answered with neither addresses nor SERVFAIL")
            }
            guard let unchecked, unchecked.reply.resolves else {
                return .unclear("the bad name does not resolve unchecked either")
            }
            guard good.reply.response?.authenticData == true else {
                return .unclear("the bad name fails, but the good one is not marked as validated")
            }
            return .validates
        }

        var evidence: [Evidence] { [good] + [bad, unchecked].compactMap(\.self) }
    }

    var zones: [Zone] = []
}

extension ValidationCheck: ResolverCheck {
    static let subject = Check.validation

    /// The number of zones that must agree.
    private static let majority = 2

    init(_ asker: Asker, _ questions: CheckQuestions) async {
        self.init()
        for test in questions.validation {
            if hasMajority { return }
            zones.append(await Self.zone(test, asker))
        }
    }

    var evidence: [Evidence] { zones.flatMap(\.evidence) }

    var conclusion: Conclusion {
        let count = zones.count
        if agreeing(.validates) >= Self.majority {
            return .pass("answers with wrong signatures are refused")
        }
        if agreeing(.doesNot) >= Self.majority {
            return .fail("answers with wrong signatures are given")
        }
        let unclear = zones.compactMap { zone -> String? in
            if case .unclear(let reason) = zone.verdict { return reason }
            return nil
        }
        let reasons = unclear.first.map { ": \($0)" } ?? ""
        return .inconclusive("of \(count) test zone\(count == 1 ? "" : "s") no two agree\(reasons)")
    }

    private var hasMajority: Bool {
        agreeing(.validates) >= Self.majority || agreeing(.doesNot) >= Self.majority
    }

    private func agreeing(_ verdict: Verdict) -> Int { zones.count { $0.verdict == verdict } }

    private static func zone(
        _ test: (good: DomainName, bad: DomainName),
        _ asker: Asker
    ) async -> Zone {
        let good = await asker.ask(Question(name: test.good, type: .a)) { $0.authenticData = true }
        guard good.reply.resolves else { return Zone(good: good) }
        let question = Question(name: test.bad, type: .a)
        let bad = await asker.ask(question) { $0.authenticData = true }
        guard bad.reply.response?.code == .servFail else { return Zone(good: good, bad: bad) }
        let unchecked = await asker.ask(question) { $0.checkingDisabled = true }
        return Zone(good: good, bad: bad, unchecked: unchecked)
    }
}
