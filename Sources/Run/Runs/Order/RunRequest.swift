package import Catalogue

/// The orders for a run, as the command line gives them. What it leaves open, the campaign and the
/// configuration say.
package struct RunRequest: Equatable, Sendable {
    package var options: RunOptions
    /// As they are written: names, addresses, URLs, stamps.
    package var resolvers: [String] = []
    /// The families of addresses at which resolvers of the catalogue are asked; none for the usual.
    package var families: Set<IPAddress.Family> = []
    /// Whether all resolvers of the catalogue are asked.
    package var usesCatalogue = false
    /// The profile of simulated resolvers: its name, or its path.
    package var lab: String?
    /// The campaign: its name, or its path.
    package var campaign: String?
    /// The browser whose history has the names, or the path of that history.
    package var history: String?
    /// Whether the user agreed to have it read.
    package var mayReadHistory = false
    /// The answers that are right, each as a name, a type and data.
    package var expectations: [String] = []
    package var trust = TrustRequest()
    /// Whether the operator of the resolvers gives the orders.
    package var runsResolvers = false
    /// `nil` where rounds belong to a schedule.
    package var comparison: ComparisonRequest?
    /// Whether the rounds are of later, when nobody looks on.
    package var isForLater = false

    package init(_ options: RunOptions = RunOptions()) { self.options = options }
}

/// The certificates that a run trusts.
package struct TrustRequest: Hashable, Sendable {
    /// The file of certificate authorities; `nil` for those of the system.
    package var authority: String?
    /// SHA-256 digests of keys, each in base64.
    package var pins: [String] = []
    package var verifiesNothing = false

    package init() {}
}

/// Orders that only comparisons have.
package struct ComparisonRequest: Hashable, Sendable {
    package var keepsAll = false
    package var resumes = false
    package var wantsStrategies = false

    package init() {}

    /// So many rounds tell of a strategy that saves one slow look-up in twenty as a rule; one that
    /// saves fewer takes more.
    private static let rounds = 60

    /// Where `options` say nothing of how long a run is, it is as long as strategies need: what is
    /// known of the resolvers by then says nothing of those.
    func lengthen(_ options: inout RunOptions) {
        let isTold =
            options[.rounds] != nil || options[.duration] != nil || options[.maxRounds] != nil
            || options[.untilSure] == true
        if wantsStrategies, !isTold { options[.rounds] = Self.rounds }
    }
}
