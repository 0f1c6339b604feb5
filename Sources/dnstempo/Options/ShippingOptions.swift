import ArgumentParser
import Catalogue
import Central
import Failures
import Runs

struct ShippingOptions: ParsableArguments {
    @Option(
        help: """
            Ship rounds to this central store too; while it cannot be reached they wait in the store.
            """.naming("url")
    )
    var ship: String?

    @Option(help: "How often to ship. (default: 1h)".naming("time"))
    var shipEvery: String?

    /// The shipping destination. `nil` if none is requested.
    func shipping(within allowed: AllowedNetworks) throws -> Shipping? {
        let every = try Duration.read(shipEvery, of: "--ship-every")
        guard let ship else {
            try Failure.refuse([
                "--ship-every needs --ship: add --ship postgresql://user@host/database":
                    every != nil
            ])
            return nil
        }
        return Shipping(
            to: try CentralAddress(parsing: CentralOption.url(ship, of: "--ship")),
            every: every ?? .seconds(3600),
            within: allowed
        )
    }
}
