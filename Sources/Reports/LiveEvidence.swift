import Statistics

/// What the live view says of the evidence of a candidate: a bar that grows until the verdict, then
/// the verdict in a word or three.
struct LiveEvidence {
    /// Columns that the longer form takes at most, and the shorter one.
    static let width = 16
    static let shortWidth = 6

    /// `nil` for what the others are compared with.
    let standing: CandidateStanding?
    let isInUse: Bool

    init(of resolver: LiveProgress.Resolver) {
        standing = resolver.standing
        isInUse = resolver.isInUse
    }

    /// Such as `━━━━──────   42 %`, `faster` or `about the same`.
    var text: StyledText {
        guard let standing else {
            return StyledText(text: isInUse ? "you use this now" : "baseline", style: .faint)
        }
        guard standing.verdict == nil, standing.reason == nil else {
            return words(standing, \.long)
        }
        let filled = Int(min(max(standing.share, 0), 1) * 10)
        let bar =
            String(repeating: "━", count: filled) + String(repeating: "─", count: 10 - filled)
        return StyledText(text: "\(bar) \(percent(standing).padded(to: 5, atEnd: false))")
    }

    /// Such as `42 %`, `faster` or `same`.
    var shortText: StyledText {
        guard let standing else {
            return StyledText(text: isInUse ? "in use" : "base", style: .faint)
        }
        guard standing.verdict == nil, standing.reason == nil else {
            return words(standing, \.short)
        }
        return StyledText(text: percent(standing))
    }

    /// Such as `42 % of the evidence` or `about the same`.
    var phrase: String {
        guard let standing else { return "" }
        guard standing.verdict == nil, standing.reason == nil else { return text.text }
        return "\(percent(standing)) of the evidence"
    }

    /// Rounded down: all of it is there only with the verdict.
    private func percent(_ standing: CandidateStanding) -> String {
        "\(Int(min(max(standing.share, 0), 1) * 100)) %"
    }

    private typealias Words = (long: String, short: String)

    private func words(
        _ standing: CandidateStanding,
        _ length: KeyPath<Words, String>
    ) -> StyledText {
        let words = Self.words(standing.verdict, standing.reason)
        let isGood = standing.verdict == .switch
        let isBad = [.reliability, .tail, .tampering].contains(standing.reason)
        return StyledText(
            text: words[keyPath: length],
            style: isGood ? .good : isBad ? .warning : .plain
        )
    }

    private static func words(_ verdict: Verdict?, _ reason: VerdictReason?) -> Words {
        switch (verdict, reason) {
        case (nil, .reliability): ("faster but lossy", "lossy?")
        case (nil, .tail): ("faster, bad tail", "tail?")
        case (_, .reliability): ("loses more", "lossy")
        case (_, .tampering): ("tells untruths", "untrue")
        case (_, .withinMargin): ("about the same", "same")
        case (.switch, _): ("faster", "faster")
        case (.keep, _): ("slower", "slower")
        default: ("undecided", "open")
        }
    }
}
