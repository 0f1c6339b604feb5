package import Catalogue
package import Failures

/// One execution of a plan at one place.
package struct Run: Hashable, Sendable, Codable {
    /// The purpose of a run.
    package enum Origin: UInt8, Hashable, Sendable, Codable, NamedCase {
        case sample, watch, compare
        /// Read from a samples file that does not contain the origin.
        case imported

        package static let words = ["sample", "watch", "compare", "import"]
    }

    /// The part of a run that identifies it in files and stores.
    package struct Key: Hashable, Sendable {
        package let id: String
        package let vantage: String
        package let timeout: Duration
    }

    package var id: String
    package var vantage: String
    package var timeout: Duration
    package var origin: Origin
    package var started: Timestamp
    /// The time between the starts of two rounds, if the plan has several rounds.
    package var interval: Duration?
    package var seed: UInt64?
    /// The name of the schedule that started the run; `nil` if there was none.
    package var schedule: String?
    /// The smallest relevant difference, if the run was a comparison.
    package var margin: Duration?
    /// The label of the resolver that the others were compared with.
    package var baseline: String?
    /// Whether the machine used the baseline resolver at that time.
    package var isBaselineInUse = false

    // Many parameters: one for each column that a store has for a run.
    package init(
        id: String,
        vantage: String,
        timeout: Duration,
        origin: Origin = .imported,
        started: Timestamp = Timestamp(nanoseconds: 0),
        interval: Duration? = nil,
        seed: UInt64? = nil,
        schedule: String? = nil,
        margin: Duration? = nil
    ) {
        self.id = id
        self.vantage = vantage
        self.timeout = timeout
        self.origin = origin
        self.started = started
        self.interval = interval
        self.seed = seed
        self.schedule = schedule
        self.margin = margin
    }

    package var key: Key { Key(id: id, vantage: vantage, timeout: timeout) }

    /// The identifier of a run that starts at this time, such as `20261121T033512Z-0badcafe`. `random`
    /// distinguishes runs that start in the same second.
    package static func id(at start: Timestamp, random: UInt32) -> String {
        let digits = String(random, radix: 16)
        let zeros = String(repeating: "0", count: 8 - digits.count)
        return "\(start.compact)-\(zeros)\(digits)"
    }
}

/// The maximum query rate, in queries per second.
///
/// The defaults are below the limits of common home resolvers per client: 1,000 queries per minute, or 20 per
/// second and network. Above these limits, a benchmark causes the losses that it reports.
package struct Pace: Hashable, Sendable, Codable {
    /// The rate to one resolver.
    package var rate: Double
    /// The total rate to all resolvers.
    package var totalRate: Double

    package init(rate: Double, totalRate: Double) {
        self.rate = rate
        self.totalRate = totalRate
    }

    /// The default rates.
    package static let polite = Pace(rate: 5, totalRate: 15)

    /// The maximum rate to a resolver without its operator's permission.
    package static let mostWithoutPermission = 20.0

    /// The default rates for `resolvers` simulated resolvers, which need no protection.
    package static func lab(resolvers: Int) -> Pace {
        Pace(rate: 50, totalRate: 50 * Double(max(1, resolvers)))
    }

    /// Both rates, with the options that set them.
    package var named: [(option: String, rate: Double)] {
        [("--rate", rate), ("--total-rate", totalRate)]
    }

    /// The minimum time in seconds for `count` queries, of which `toOne` go to one resolver.
    package func seconds(for count: Int, toOne: Int = 1) -> Double {
        max(Double(count) / totalRate, Double(toOne) / rate)
    }

    /// Throws if the pace needs the permission of the operator of `endpoint`. Any pace is allowed in the lab,
    /// and for loopback ports other than 53. Port 53 may belong to a forwarder.
    package func checked(
        for endpoint: Endpoint,
        isLab: Bool = false,
        runsResolvers: Bool = false
    ) throws(Failure) {
        if isLab || runsResolvers || rate <= Self.mostWithoutPermission { return }
        if endpoint.address.isLoopback && endpoint.port != 53 { return }
        throw Failure.usage(
            "--rate \(rate): more than \(Int(Self.mostWithoutPermission)) queries per second to one "
                + "resolver is for resolvers that you run yourself; if so, add --i-run-these-resolvers"
        )
    }
}

extension Run.Origin {
    /// The default origins of a history.
    package static let usual: Set<Self> = [.sample, .watch]
}
