import Catalogue
import Samples
package import Statistics

extension ComparisonRules {
    /// The rules of a recommendation.
    package init(margin: Duration) {
        self.init(margin: margin / .milliseconds(1), lossTolerance: Self.usualLossTolerance)
    }
}

extension RunOptions {
    var isUntilSure: Bool { self[.untilSure] == true && self[.rounds] == nil }

    package var measuresFloor: Bool { self[.floor] ?? true }

    package var usedMargin: Duration { self[.margin] ?? .usualMargin }

    /// Rounds after which a run that goes on until it is sure ends: five minutes or so at the polite
    /// pace, where rounds last two seconds.
    package var usedMaxRounds: Int { self[.maxRounds] ?? 150 }

    /// Whether each name of a list is asked once.
    var asksAsFound: Bool { self[.series]?.contains(Series.asFound.description) == true }

    /// Whether a name is looked up as a browser does, among other types or alone.
    var asksAsBrowser: Bool {
        self[.types]?.contains { $0.lowercased().split(separator: ",").contains("browser") } == true
    }

    /// That of a campaign or a configuration.
    package var objective: ServiceObjective? {
        get throws(CatalogueError) {
            try self[.objective].map { text throws(CatalogueError) in
                try ServiceObjective(parsing: text)
            }
        }
    }
}

extension Duration {
    /// The least difference that is worth switching for, where nothing else is asked for.
    package static let usualMargin = Duration.milliseconds(5)
}
