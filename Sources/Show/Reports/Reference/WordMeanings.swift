import Analysis
import Catalogue
import Statistics

// The meanings of words in reports, for the reference.

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

extension SeriesEvidence.Departure.Reason {
    var meaning: String {
        switch self {
        case .outdone: "Three other resolvers are faster, or slower by at most the margin."
        case .slower: "The whole interval of the difference is slower than the baseline."
        case .noGain:
            "The verdict is established: the resolver is not faster by more than the margin."
        }
    }
}

extension Incident.Kind {
    var meaning: String {
        switch self {
        case .outage: "No answer at all."
        case .episode: "The earlier level was back within ten days."
        case .step: "The new level lasts, or lasted for more than ten days."
        case .drift: "The level rises or falls steadily."
        }
    }
}

extension IncidentScope {
    var meaning: String {
        switch self {
        case .one: "One resolver."
        case .several:
            "Several resolvers at the same time. Two that change together by chance are frequent."
        case .all: "Both of two resolvers."
        case .line:
            "All of at least three resolvers, or three in two networks: the line or the machine of the "
                + "place."
        }
    }
}

extension LevelChange.Kind {
    var meaning: String {
        switch self {
        case .slower, .faster: "Change of the median."
        case .slowerTail, .fasterTail: "Change of the slow answers (p90)."
        case .lessReliable, .moreReliable: "Change of the share of failed queries."
        case .lessCached, .moreCached:
            "Change of the share of names that warm-ups find in the cache."
        }
    }
}

extension ChangeCause {
    var meaning: String {
        switch self {
        case .line: "The user's own connection, which all resolvers share."
        case .path: "The network path to this resolver."
        case .site: "Another site of the resolver answers."
        case .cache: "More or fewer names have to be fetched."
        case .connection: "Opening a connection, beyond what the path explains."
        case .names: "Some of the names."
        case .resolver: "The resolver itself."
        case .way: "The path or the resolver: the round trip is unknown, so they look the same."
        case .mixed: "No single part is most of the change."
        case .unknown: "The data are too few."
        }
    }
}

extension PathTrace.End {
    var meaning: String {
        switch self {
        case .answered: "The resolver's address answered a query over UDP at its port."
        case .closed: "The resolver's address returned the ICMP error that its UDP port is closed."
        case .rejected: "The last hop returned the ICMP error that the destination is unreachable."
        case .silent: "\(PathTrace.mostSilent) consecutive hops did not answer."
        case .limit: "Hop \(PathTrace.mostHops) was not the resolver."
        case .unsent: "The system could not send a query."
        }
    }
}

extension Strategy {
    /// The words for kinds of strategies, with their meanings.
    static let meanings = [
        ("alone", "The baseline alone."),
        ("race", "All resolvers at once; the first answer counts."),
        ("hedge", "The second resolver after `after_ms`; the first answer counts."),
        (
            "failover",
            "The second resolver after `after_ms`; a later answer of the first does not count."
        ),
        ("shares", "One resolver per look-up, each equally often."),
        (
            "winners",
            "One resolver per look-up, each as often as it wins a race. The races are not counted as queries."
        ),
    ]
}
