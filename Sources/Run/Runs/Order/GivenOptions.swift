package import Catalogue
import Failures
import Processes
import Samples

/// The options of a request, then of its campaign, then of the user's configuration.
struct GivenOptions {
    let campaign: Campaign?
    let configuration: UserConfiguration
    var merged: RunOptions

    /// Throws if an option is not valid. Only a comparison may continue until it is certain.
    init(_ request: RunRequest) throws {
        campaign = try request.campaign.map(Campaign.init)
        configuration = try UserConfiguration.current()
        let asked = request.options
        if let campaign { try campaign.options.check(campaign.fault) }
        try configuration.options.check(configuration.fault)
        merged = asked.over(campaign?.options ?? RunOptions()).over(configuration.options)
        let usesZones = merged[.series]?.contains(Series.uncached.description) == true
        guard asked[.zones] == nil || usesZones || request.observesConnections else {
            throw Failure.usage(
                "--zone is for uncached names: add --series cached,uncached, or leave it out"
            )
        }
        try merged.checkMessageUse()
        request.comparison?.lengthen(&merged)
        if request.comparison == nil {
            merged[.untilSure] = false
        } else if merged[.rounds] == nil, merged[.duration] == nil {
            merged[.untilSure] = merged[.untilSure] ?? true
        }
    }
}

extension UserConfiguration {
    package static func current() throws -> UserConfiguration {
        guard let path = path(environment: Environment.variables("XDG_CONFIG_HOME", "HOME")) else {
            return UserConfiguration()
        }
        return try UserConfiguration(path: path)
    }

    /// The options of this user's configuration. Throws if one of them is not valid.
    package static func options() throws -> RunOptions {
        let current = try current()
        try current.options.check(current.fault)
        return current.options
    }
}
