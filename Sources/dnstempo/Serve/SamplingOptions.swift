import ArgumentParser
import Catalogue

/// Whether rounds are taken while the store is served, and of what.
struct SamplingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take a round as often too, such as every 1m; what follows says of what.",
            valueName: "duration"
        )
    )
    var sampleEvery: String?

    @OptionGroup var measuring: MeasuringOptions

    /// What a watch would ask that keeps its `rounds` there; `nil` where nothing is to be measured.
    func wishes(
        rounds: @escaping @Sendable (RunOptions) throws -> String?
    ) async throws -> WatchSettings? {
        guard let sampleEvery else {
            guard measuring.asksForNothing else {
                throw Failure(
                    .usage,
                    "whom to ask and what is for taking rounds: add --sample-every 1m, or leave "
                        + "it out"
                )
            }
            return nil
        }
        guard measuring.interval == nil else {
            throw Failure(.usage, "--interval and --sample-every are one thing here: give one")
        }
        do throws(CatalogueError) { _ = try DurationText.parse(sampleEvery) } catch {
            throw Failure(.usage, "--sample-every: \(error.description)")
        }
        var measuring = measuring
        measuring.interval = sampleEvery
        return try await WatchSettings(measuring, rounds: rounds)
    }
}

extension MeasuringOptions {
    /// Whether nothing is given of what only measuring needs.
    fileprivate var asksForNothing: Bool {
        let texts = [
            domainsFile, duration, interval, timeout, series, transport, ecs, vantage, campaign,
            lab, reach.allowNet, trust.connections, trust.httpMethod, trust.bootstrap,
            trust.authority.file,
        ]
        return resolvers.isEmpty && domains.isEmpty && types.isEmpty && zones.isEmpty
            && texts.allSatisfy { $0 == nil } && rounds == nil && rate == nil && totalRate == nil
            && warmup == nil && seed == nil && trust.pins.isEmpty && !trust.insecure
            && ![iRunTheseResolvers, v4, v6, dnssec, nsid, randomCase].contains(true)
    }
}
