package import Catalogue
import Integrity
package import Measurement
package import Samples

/// A measuring command's orders, as ``OrderBuilder`` found and checked them.
package struct RunOrder: Sendable {
    /// In the order in which they were named, each over each transport asked for.
    package let resolvers: [Resolver]
    /// Those that are left out, since their certificates are not trusted.
    package let unmeasured: [UnmeasuredResolver]
    /// Resolvers by name, the user's own among them.
    package let catalogue: ResolverCatalogue
    package var plan: Plan
    /// Whether it is to be a measurement that the registry of performance metrics defines.
    let isRegistered: Bool
    /// By the plan's index of questions.
    package let queries: [NextQuery]
    /// The expectations that answers have to meet, by the plan's index of questions.
    let expectations: [Int: AnswerExpectation]
    /// By the plan's index of targets.
    let targetResolvers: [Resolver]
    /// Sentences about what was left out.
    package let notes: [String]
    /// Sentences about resolvers that are asked at an address from earlier.
    package let rememberedNotes: [String]
    package let allowed: AllowedNetworks
    var transports: any TransportSource
    package let vantage: String
    package let baseline: String?
    /// The baseline, where it is what this machine uses now.
    package let baselineInUse: String?
    /// The label of what this machine uses now, where that is asked.
    package let inUse: String?
    /// Runs as long as it is held.
    package let lab: LabSession?
    package let options: RunOptions

    var endpoints: [Endpoint] { targetResolvers.map(\.endpoint) }

    package var margin: Duration { options.usedMargin }
}
