import Statistics

/// The meanings of verdicts and of their reasons, for the reference.
extension Verdict {
    var meaning: String {
        switch self {
        case .switch: "The candidate is faster by more than the margin, and nothing objects."
        case .keep: "The candidate is not faster by more than the margin, or it fails more often."
        case .tooClose: "All rounds are used up, and the margin lies within the interval."
        case .undecided: "The evidence is too little, or something objects to a switch."
        }
    }
}

extension VerdictReason {
    var meaning: String {
        switch self {
        case .faster: "The candidate is faster by more than the margin."
        case .slower: "The candidate is not faster by more than the margin."
        case .withinMargin: "The difference is smaller than the margin in both directions."
        case .reliability:
            "The candidate fails more often: established with `keep`, observed with `undecided`."
        case .lossUnknown:
            "The candidate is faster, but its queries are too few to exclude more failures."
        case .tail: "The candidate is faster in most pairs, but slower on average."
        case .tampering: "The candidate changes answers."
        case .sharedCache: "Both resolvers have one cache."
        case .edge:
            "The queries are faster, but connecting to the answers is slower, or its time is unknown."
        case .baselineSilent:
            "The baseline left at least half of the pairs unanswered that the candidate answered."
        case .setAside: "The candidate was not asked to the end, because three others are as fast."
        case .budget: "All rounds are used up."
        case .interrupted: "The run was interrupted."
        }
    }
}
