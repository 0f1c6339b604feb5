import Catalogue
import Failures
import Samples

/// The command line before the campaign, that before the user's configuration.
struct GivenOptions {
    let campaign: Campaign?
    let configuration: UserConfiguration
    var merged: RunOptions

    /// Only with `certainty` may a run go on until it is certain. Throws where one of them says
    /// what cannot be.
    init(_ flags: MeasuringOptions, certainty: CertaintyOptions? = nil) throws {
        campaign = try flags.place.campaign.map(Campaign.init)
        configuration = try UserConfiguration.current()
        let asked = try certainty?.added(to: RunOptions(flags)) ?? RunOptions(flags)
        if let campaign { try campaign.options.check(campaign.fault) }
        try configuration.options.check(configuration.fault)
        merged = asked.over(campaign?.options ?? RunOptions()).over(configuration.options)
        let usesZones = merged[.series]?.contains(Series.uncached.description) == true
        guard flags.names.zones.isEmpty || usesZones else {
            throw Failure.usage(
                "--zone is for uncached names: add --series cached,uncached, or leave it out"
            )
        }
        try merged.checkMessageUse()
        certainty?.strategies.lengthen(&merged)
        if certainty == nil {
            merged[.untilSure] = false
        } else if merged[.rounds] == nil, merged[.duration] == nil {
            merged[.untilSure] = merged[.untilSure] ?? true
        }
    }
}

extension UserConfiguration {
    static func current() throws -> UserConfiguration {
        guard let path = path(environment: Environment.variables("XDG_CONFIG_HOME", "HOME")) else {
            return UserConfiguration()
        }
        return try UserConfiguration(path: path)
    }
}
