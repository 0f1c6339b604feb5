/// The kinds of notes, with the codes that programs read. A code never changes.
package enum NoteKind: String, Hashable, Sendable, CaseIterable {
    // The whole measurement.
    case selection, interrupted
    case unreadPlace = "unread-place"
    case untrusted
    case severalRuns = "several-runs"
    case untestedDifference = "untested-difference"
    case autocorrelation
    case fewSamples = "few-samples"
    case fewHours = "few-hours"

    // Rounds that no figure includes, and times without rounds.
    case offlineRounds = "offline-rounds"
    case outageRounds = "outage-rounds"
    case outages
    case suspendedRounds = "suspended-rounds"
    case suspended, gaps
    case networkChanged = "network-changed"
    case prunedEdge = "pruned-edge"
    case pruned, imports
    case clockChange = "clock-change"
    case partialHours = "partial-hours"

    // Queries and answers.
    case unverified
    case wholeTimes = "whole-times"
    case wrongAnswers = "wrong-answers"
    case reopened
    case failureCause = "failure-cause"
    case unreached
    case unknownNames = "unknown-names"
    case blocked, unchecked
    case strayAnswers = "stray-answers"
    case filtered
    case coldCache = "cold-cache"

    // Single resolvers, and the order of the queries.
    case rateLimited = "rate-limited"
    case siteChanged = "site-changed"
    case nsid
    case sharedCache = "shared-cache"
    case caseChanged = "case-changed"
    case trailingBytes = "trailing-bytes"
    case earlyRefused = "early-refused"
    case askingOrder = "asking-order"
    case oneAddress = "one-address"
    case askedTwice = "asked-twice"

    // The instrument.
    case lateSends = "late-sends"
    case userClock = "user-clock"
    case slowInstrument = "slow-instrument"
    case timerDelay = "timer-delay"
    case bursts
    case clockStep = "clock-step"

    /// The meaning for the result, in one sentence.
    var meaning: String {
        switch self {
        case .selection: "Other queries are excluded."
        case .interrupted: "Fewer rounds give wider intervals."
        case .unreadPlace: "The figures lack its rounds."
        case .untrusted: "The report has no figures for it."
        case .severalRuns: "Repeated tests raise the false-positive rate."
        case .untestedDifference: "A difference may be chance."
        case .autocorrelation: "A short run may not stand for a longer time."
        case .fewSamples: "The quantile is uncertain."
        case .fewHours:
            "The intervals take queries as independent: they are too narrow if slow queries cluster."
        case .offlineRounds: "Offline rounds are excluded."
        case .outageRounds:
            "The cause is probably the connection, not the resolvers: outages are excluded."
        case .outages: "Outages are excluded."
        case .suspendedRounds, .suspended: "Rounds with a suspension are excluded."
        case .gaps: "The figures lack these times."
        case .networkChanged: "The figures mix several networks."
        case .prunedEdge: "The figures exclude this time."
        case .pruned: "Earlier rounds are excluded."
        case .imports: "These rounds are excluded."
        case .clockChange: "Hours and days follow the local clock."
        case .partialHours: "Each counts for the first of its two hours."
        case .unverified: "Another server may have answered."
        case .wholeTimes: "They are longer than times of queries on an open connection."
        case .wrongAnswers: "They count as failed."
        case .reopened: "The resolver, or a device on the path, closes idle connections."
        case .failureCause: "This cause explains most of the failures."
        case .unreached: "These queries count as failed."
        case .unknownNames: "Times of unknown names may differ from those of other names."
        case .blocked: "They count in no figure."
        case .unchecked: "A resolver that changes answers may be fast."
        case .strayAnswers: "The messages were ignored."
        case .filtered: "They are excluded."
        case .coldCache: "The figures of cached names include slower look-ups."
        case .rateLimited: "Its failures may be due to this measurement."
        case .siteChanged: "Its times are of several places."
        case .nsid: "It may drop queries that request its name."
        case .sharedCache: "They may fail together."
        case .caseChanged: "The responses count; forged ones would not be detected there."
        case .trailingBytes: "The responses count; other programs reject them."
        case .earlyRefused: "These queries were sent again after the handshake."
        case .askingOrder:
            "The first query of a round may wait for an idle network and fill caches for the others."
        case .oneAddress: "A difference between them is due to the order or to chance."
        case .askedTwice: "The second answer can come from a warm cache."
        case .lateSends: "Round trips are exact, but the queries were less evenly spaced."
        case .userClock: "They include delays of this machine."
        case .slowInstrument: "This delay is part of every time shown."
        case .timerDelay: "Queries leave late."
        case .bursts: "The resolver may limit this rate."
        case .clockStep: "Round trips are exact; times of day before and after do not match."
        }
    }

    /// The observation, as the reference describes it.
    var description: String {
        switch self {
        case .selection: "The report is of a part of the queries."
        case .interrupted: "The run was interrupted."
        case .unreadPlace: "A place of a central store could not be read."
        case .untrusted: "A resolver was left out, because its certificate is not trusted."
        case .severalRuns: "The same comparison was run before on this day."
        case .untestedDifference: "Medians were not compared by a test."
        case .autocorrelation: "Consecutive rounds are correlated."
        case .fewSamples: "A resolver got too few queries for p95 or p99."
        case .fewHours: "A resolver has too few hours for an interval by hours."
        case .offlineRounds: "Rounds had no route to any resolver."
        case .outageRounds, .outages: "Rounds had no answer from any resolver."
        case .suspendedRounds, .suspended: "The machine was suspended during rounds."
        case .gaps: "Rounds of the schedule are missing."
        case .networkChanged: "The network of this machine changed during the run."
        case .prunedEdge: "Samples of the first hours of the window were pruned."
        case .pruned: "Samples of earlier rounds were pruned."
        case .imports: "The store has imported rounds in the window."
        case .clockChange: "Summer time begins or ends in the window."
        case .partialHours: "The local clock differs from UTC by a part of an hour."
        case .unverified: "Answers came without a verified certificate."
        case .wholeTimes: "Imported times include opening the connection."
        case .wrongAnswers: "Answers were not as expected."
        case .reopened: "Many queries found their connection closed."
        case .failureCause: "Queries to a resolver failed for a known cause."
        case .unreached: "Queries could not reach a resolver."
        case .unknownNames: "Names do not exist."
        case .blocked: "Queries to addresses outside the allowed networks were not sent."
        case .unchecked: "A recommended resolver was not checked for true answers."
        case .strayAnswers: "Messages that answer another query arrived."
        case .filtered: "Answers block their names."
        case .coldCache: "Many cached names were cache misses."
        case .rateLimited: "A resolver seems to limit the rate of queries."
        case .siteChanged: "Several sites of a resolver answered."
        case .nsid: "A resolver answered no query with NSID."
        case .sharedCache: "Two resolvers seem to have one cache."
        case .caseChanged: "A resolver changed the letter case of names."
        case .trailingBytes: "A resolver sent bytes after the last record."
        case .earlyRefused: "A resolver refused queries in early data."
        case .askingOrder: "A resolver was asked first in most rounds."
        case .oneAddress: "Two resolvers are one address."
        case .askedTwice: "A resolver was asked one name twice in a round."
        case .lateSends: "Queries left more than 5 ms late."
        case .userClock: "Round trips have no time stamps of the kernel."
        case .slowInstrument: "A query to this machine itself took long."
        case .timerDelay: "Timers of this machine were late."
        case .bursts: "Late queries to one resolver bunched."
        case .clockStep: "The system clock was set during the run."
        }
    }

    /// The remedy, as the reference describes it; `nil` without a remedy.
    var advice: String? {
        switch self {
        case .selection, .prunedEdge, .pruned, .clockChange: nil
        case .clockStep: "Let the time service adjust the clock gradually."
        case .interrupted: "Let the run finish, or lower `--rounds`."
        case .unreadPlace: "Check that the place is complete, or leave it out."
        case .untrusted: "Correct the name, or give the certificate authority with `--ca`."
        case .severalRuns: "Continue the last run with `--resume`."
        case .untestedDifference: "Compare with `--baseline`."
        case .autocorrelation: "Space the rounds with `--interval`, or measure for a day."
        case .fewSamples: "Measure more rounds, or choose a longer window."
        case .fewHours: "Choose a longer window."
        case .offlineRounds, .outageRounds, .outages: "Check the connection."
        case .suspendedRounds, .suspended: "Keep the machine awake."
        case .gaps: "Check the schedule."
        case .networkChanged: "Repeat the run on one network."
        case .imports: "Include them with `--origin all`."
        case .partialHours: "Use `--exact` where samples are kept."
        case .unverified: "Repeat it without `--insecure`."
        case .wholeTimes: "Compare them with first queries of a connection only."
        case .wrongAnswers: "See the detail of each sample."
        case .reopened: "Query fewer resolvers at once, or more often."
        case .failureCause: "The note names the remedy."
        case .unreached: "Check the address, and the connection."
        case .unknownNames: "Check the spelling, or the list of names."
        case .blocked: "Extend the networks, or omit the resolvers."
        case .unchecked: "Run `dnstempo check`."
        case .strayAnswers: "Find the senders with `--samples`."
        case .filtered: "Query names that no resolver filters."
        case .coldCache: "Repeat the run, or query more popular names."
        case .rateLimited: "Lower `--rate`."
        case .siteChanged: "Use `report --by site`."
        case .nsid: "Add `--no-nsid`."
        case .sharedCache: "Count them as one resolver."
        case .caseChanged: "Omit `--0x20`."
        case .trailingBytes, .earlyRefused: "Report it to the operator."
        case .askingOrder: "Ask in random order."
        case .oneAddress: "Omit one of them."
        case .askedTwice: "Give the second query a label of its own, or omit it."
        case .lateSends, .userClock, .slowInstrument, .timerDelay:
            "Repeat the run while the machine is less busy."
        case .bursts: "Repeat the run while the machine is less busy, or lower `--rate`."
        }
    }
}
