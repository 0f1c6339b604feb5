package import Catalogue
import Failures
package import Samples

extension Pace {
    /// The requested pace, or the default pace. Throws if the operators of `resolvers` do not
    /// permit the pace, unless the user is the operator.
    init(
        _ options: RunOptions,
        for resolvers: [Resolver],
        simulated: [Resolver]?,
        _ runsResolvers: Bool
    ) throws {
        let usual = simulated == nil ? Pace.polite : .lab(resolvers: resolvers.count)
        let pace = usual.changed(by: options)
        for (option, rate) in pace.named {
            if let fault = QueryRate.fault(rate, of: option) { throw Failure.usage(fault) }
        }
        for resolver in resolvers {
            try pace.checked(
                for: resolver.endpoint,
                isLab: simulated?.contains(resolver) ?? false,
                runsResolvers: runsResolvers
            )
        }
        self = pace
    }

    /// This pace with the requested changes.
    package func changed(by options: RunOptions) -> Pace {
        var pace = self
        if let rate = options[.rate] {
            pace.rate = rate
            // A faster rate to one resolver also means a faster total rate.
            pace.totalRate = max(pace.totalRate, rate)
        }
        pace.totalRate = options[.totalRate] ?? pace.totalRate
        return pace
    }
}
