import ArgumentParser
import Catalogue
import Samples
import Statistics

struct ObjectiveOption: ParsableArguments {
    @Option(
        help: "Service objective: 'p95 < 50ms' or 'answered within 100ms >= 99.5%'."
            .naming("objective")
    )
    var objective: String?

    /// The objective. `nil` if the command line has none.
    var wanted: ServiceObjective? {
        get throws(CatalogueError) {
            try objective.map { text throws(CatalogueError) in
                try ServiceObjective(parsing: text, of: "--objective")
            }
        }
    }
}
