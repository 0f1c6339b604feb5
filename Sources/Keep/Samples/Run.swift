package import Catalogue
package import Failures

/// One execution of a plan at one place.
package struct Run: Hashable, Sendable, Codable {
    /// The purpose of a run.
    package enum Origin: UInt8, Hashable, Sendable, Codable, NamedCase {
        case sample, watch, compare
        /// Read from a samples file that does not tell.
        case imported

        package static let words = ["sample", "watch", "compare", "import"]
    }

    /// The part of a run that files and stores know it by.
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
    /// From start to start of its rounds, where the plan has several.
    package var interval: Duration?
    package var seed: UInt64?
    /// The name of the schedule that had it taken, where one did.
    package var schedule: String?
    /// The least difference that counts, where the run was to compare.
    package var margin: Duration?
    /// The label that the others were compared with.
    package var baseline: String?
    /// Whether that was what the machine used then.
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

    /// The name of a run that starts then, such as `20261121T033512Z-0badcafe`; `random` tells
    /// it from another of the same second.
    package static func id(at start: Timestamp, random: UInt32) -> String {
        let digits = String(random, radix: 16)
        let zeros = String(repeating: "0", count: 8 - digits.count)
        return "\(start.compact)-\(zeros)\(digits)"
    }
}

/// How fast resolvers may be asked, in queries per second.
///
/// The defaults lie below what common home resolvers allow one client: 1,000 a minute, or 20 a
/// second and network, beyond which a benchmark makes the losses that it reports.
package struct Pace: Hashable, Sendable, Codable {
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

    /// The most that may be asked of a resolver that is not one's own.
    package static let mostWithoutPermission = 20.0

    /// The default for `resolvers` simulated ones: they are there to be asked.
    package static func lab(resolvers: Int) -> Pace {
        Pace(rate: 50, totalRate: 50 * Double(max(1, resolvers)))
    }

    /// Both rates, by the options that set them.
    package var named: [(option: String, rate: Double)] {
        [("--rate", rate), ("--total-rate", totalRate)]
    }

    /// The shortest time for `count` queries, of which `toOne` go to one resolver, in seconds.
    package func seconds(for count: Int, toOne: Int = 1) -> Double {
        max(Double(count) / totalRate, Double(toOne) / rate)
    }

    /// Refuses a pace that the operator of `endpoint` has not agreed to. Any is allowed in the lab
    /// and for loopback ports other than 53: behind that one there may be a forwarder.
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
    /// The origins that a history is made of where nothing else is asked for.
    package static let usual: Set<Self> = [.sample, .watch]
}
