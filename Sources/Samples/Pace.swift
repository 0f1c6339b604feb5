package import Catalogue

/// How fast resolvers may be asked, in queries per second.
///
/// The defaults lie below what common home resolvers allow one client: 1,000 a minute, or 20 a
/// second and network, beyond which a benchmark makes the losses that it reports.
package struct Pace: Hashable, Sendable {
    /// To one resolver.
    package var rate: Double
    /// To all together.
    package var totalRate: Double

    package init(rate: Double, totalRate: Double) {
        self.rate = rate
        self.totalRate = totalRate
    }

    /// Where nothing else is asked for.
    package static let polite = Pace(rate: 5, totalRate: 15)

    /// What may be asked of a resolver that is not one's own.
    package static let mostWithoutPermission = 20.0

    /// The default for `resolvers` simulated ones: they are there to be asked.
    package static func lab(resolvers: Int) -> Pace {
        Pace(rate: 50, totalRate: 50 * Double(max(1, resolvers)))
    }

    /// Refuses a pace that the operator of `endpoint` has not agreed to. Any is allowed in the lab
    /// and for loopback ports other than 53: behind that one there may be a forwarder.
    package func checked(
        for endpoint: Endpoint,
        isLab: Bool = false,
        runsResolvers: Bool = false
    ) throws(PaceError) {
        if isLab || runsResolvers || rate <= Self.mostWithoutPermission { return }
        if endpoint.address.isLoopback && endpoint.port != 53 { return }
        throw PaceError(rate: rate)
    }
}

/// Queries would be sent faster than a stranger's resolver should be asked.
package struct PaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Queries per second to one resolver.
    package let rate: Double

    package var description: String {
        "--rate \(rate): more than \(Int(Pace.mostWithoutPermission)) queries/s to one resolver "
            + "is for resolvers that you run yourself; if so, add --i-run-these-resolvers"
    }
}
