package import Catalogue
import Integrity
package import Load
package import Measurement
package import Samples

/// The orders of a measuring command, determined and checked by ``OrderBuilder``.
package struct RunOrder: Sendable {
    /// The resolvers in the order in which they were named, each over each requested transport.
    package let resolvers: [Resolver]
    /// The resolvers that are left out, because their certificates are not trusted.
    package let unmeasured: [UnmeasuredResolver]
    /// The resolvers by name, including the user's own.
    package let catalogue: ResolverCatalogue
    package var plan: Plan
    /// Whether the run is a measurement that the registry of performance metrics defines.
    let isRegistered: Bool
    /// The queries by the plan's index of questions.
    package let queries: [NextQuery]
    /// The expectations that answers must meet, by the plan's index of questions.
    let expectations: [Int: AnswerExpectation]
    /// The resolvers by the plan's index of targets.
    let targetResolvers: [Resolver]
    /// Sentences about resolvers and queries that were left out.
    package let notes: [String]
    /// Sentences about resolvers with an earlier address.
    package let rememberedNotes: [String]
    package let allowed: AllowedNetworks
    var transports: any TransportSource
    package let vantage: String
    package let baseline: String?
    /// The baseline, if it is the resolver that this machine uses now.
    package let baselineInUse: String?
    /// The label of the resolver that this machine uses now, if it is queried.
    package let inUse: String?
    /// The lab, which runs while this object exists.
    package let lab: LabSession?
    /// The load during a part of the queries; `nil` for none.
    package let load: LineLoad?
    package let options: RunOptions

    var endpoints: [Endpoint] { targetResolvers.map(\.endpoint) }

    /// The mark of the queries in the marked series; `nil` without such a series.
    package var mark: DSCP? {
        zip(plan.targets, targetResolvers).first { $0.0.series == .loadedMarked }?.1.endpoint.mark
    }

    package var margin: Duration { options.usedMargin }
}
