import Catalogue
import Samples
package import Statistics

extension ComparisonRules {
    /// Creates the rules of a recommendation.
    package init(margin: Duration) {
        self.init(margin: margin / .milliseconds(1), lossTolerance: Self.usualLossTolerance)
    }
}

extension RunOptions {
    var isUntilSure: Bool { self[.untilSure] == true && self[.rounds] == nil }

    package var measuresFloor: Bool { self[.floor] ?? true }

    package var usedMargin: Duration { self[.margin] ?? .usualMargin }

    /// The maximum number of rounds of a run that continues until it is certain. At the polite
    /// pace, with rounds of two seconds, this is about five minutes.
    package var usedMaxRounds: Int { self[.maxRounds] ?? 150 }

    /// Whether each name of a list is queried once.
    var asksAsFound: Bool { self[.series]?.contains(Series.asFound.description) == true }

    /// Whether a name is looked up as a browser does, with other types or alone.
    var asksAsBrowser: Bool {
        self[.types]?.contains { $0.lowercased().split(separator: ",").contains("browser") } == true
    }

    /// The objective of a campaign or a configuration.
    package var objective: ServiceObjective? {
        get throws(CatalogueError) {
            try self[.objective].map { text throws(CatalogueError) in
                try ServiceObjective(parsing: text)
            }
        }
    }
}

extension Duration {
    /// The default of the smallest difference that is worth a switch.
    package static let usualMargin = Duration.milliseconds(5)
}
