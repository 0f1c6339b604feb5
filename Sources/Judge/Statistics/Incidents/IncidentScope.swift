/// Which resolvers had an incident (method of incidents, §5).
package enum IncidentScope: String, Hashable, Sendable, CaseIterable {
    case one
    case several
    /// Both of two resolvers. Two that change together by chance are frequent, so no cause is named.
    case all
    /// All of three or more resolvers, or three in at least two networks: the line or the machine of the
    /// place.
    case line

    /// The scope of an incident of `count` of the `measured` resolvers. `networks` is the number of networks
    /// of the resolvers that had it.
    package init(of count: Int, among measured: Int, networks: Int) {
        let isEvery = count >= measured
        self =
            switch count {
            case ...1: .one
            case 3... where isEvery || networks >= 2: .line
            default: isEvery ? .all : .several
            }
    }
}
