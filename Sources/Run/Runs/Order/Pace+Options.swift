package import Catalogue
import Failures
package import Samples

extension Pace {
    /// The pace that `options` ask for, or the usual one. Throws where the operators of `resolvers`
    /// do not agree to it, unless they are who asks.
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

    /// The pace that `options` ask for, as far as they do.
    package func changed(by options: RunOptions) -> Pace {
        var pace = self
        if let rate = options[.rate] {
            pace.rate = rate
            // Who asks one resolver faster means to ask faster in all.
            pace.totalRate = max(pace.totalRate, rate)
        }
        pace.totalRate = options[.totalRate] ?? pace.totalRate
        return pace
    }
}
