package import Catalogue

/// The orders for a run from the command line. The campaign and the configuration complete them.
package struct RunRequest: Equatable, Sendable {
    package var options: RunOptions
    /// The resolvers as written: names, addresses, URLs, stamps.
    package var resolvers: [String] = []
    /// The address families for resolvers of the catalogue; empty for the default.
    package var families: Set<IPAddress.Family> = []
    /// Whether all resolvers of the catalogue are queried.
    package var usesCatalogue = false
    /// The name or path of the profile of simulated resolvers.
    package var lab: String?
    /// The name or path of the campaign.
    package var campaign: String?
    /// The browser whose history supplies the names, or the path of that history.
    package var history: String?
    /// Whether the user agreed to the reading of the history.
    package var mayReadHistory = false
    /// The expected answers, each as a name, a type and data.
    package var expectations: [String] = []
    package var trust = TrustRequest()
    /// Whether the user operates the resolvers.
    package var runsResolvers = false
    /// The orders of a comparison; `nil` if rounds belong to a schedule.
    package var comparison: ComparisonRequest?
    /// The load during a part of the queries; `nil` for none.
    package var load: LoadRequest?
    /// Whether connections are observed, for which queries for uncached names show the order of answers.
    package var observesConnections = false
    /// Whether the rounds run later, without a user.
    package var isForLater = false

    package init(_ options: RunOptions = RunOptions()) { self.options = options }
}

/// The certificates that a run trusts.
package struct TrustRequest: Hashable, Sendable {
    /// The file of certificate authorities; `nil` for the system's authorities.
    package var authority: String?
    /// SHA-256 digests of keys, in base64.
    package var pins: [String] = []
    package var verifiesNothing = false

    package init() {}
}

/// The orders that only comparisons have.
package struct ComparisonRequest: Hashable, Sendable {
    package var keepsAll = false
    package var resumes = false
    package var wantsStrategies = false

    package init() {}

    /// The number of rounds that usually suffices to evaluate a strategy that avoids one slow
    /// look-up in twenty. A strategy that avoids fewer needs more rounds.
    private static let rounds = 60

    /// Sets the number of rounds that strategies need, if `options` does not set the length of a
    /// run. A verdict about the resolvers may come earlier, but does not cover strategies.
    func lengthen(_ options: inout RunOptions) {
        let isTold =
            options[.rounds] != nil || options[.duration] != nil || options[.maxRounds] != nil
            || options[.untilSure] == true
        if wantsStrategies, !isTold { options[.rounds] = Self.rounds }
    }
}
