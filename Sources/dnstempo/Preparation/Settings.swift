import Catalogue
import DNSWire
import Integrity
import Measurement
import Reports
import Samples
import Transports

/// A measuring command's orders, as ``Preparation`` found and checked them.
struct Settings {
    /// In the order in which they were named, each over each transport asked for.
    let resolvers: [Resolver]
    /// Those that are left out, since their certificates are not trusted.
    let unmeasured: [ReportContext.Unmeasured]
    /// Resolvers by name, the user's own among them.
    let catalogue: ResolverCatalogue
    var plan: Plan
    /// Whether it is to be a measurement that the registry of performance metrics defines.
    let isRegistered: Bool
    /// By the plan's index of questions.
    let queries: [NextQuery]
    /// The expectations that answers have to meet, by the plan's index of questions.
    let expectations: [Int: AnswerExpectation]
    /// By the plan's index of targets.
    let targetResolvers: [Resolver]
    /// Sentences about what was left out.
    let notes: [String]
    /// Sentences about resolvers that are asked at an address from earlier.
    let rememberedNotes: [String]
    let allowed: AllowedNetworks
    let factory: TransportFactory
    let vantage: String
    let baseline: String?
    /// The baseline, where it is what this machine uses now.
    let baselineInUse: String?
    /// The label of what this machine uses now, where that is asked.
    let inUse: String?
    /// Runs as long as it is held.
    let lab: LabSession?
    let options: RunOptions

    var endpoints: [Endpoint] { targetResolvers.map(\.endpoint) }

    var margin: Duration { options.usedMargin }
}
