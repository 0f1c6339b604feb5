/// One execution of a plan at one place.
package struct Run: Hashable, Sendable {
    /// The purpose of a run.
    package enum Origin: UInt8, Hashable, Sendable, CaseIterable {
        case sample, watch, compare
        /// Read from a samples file.
        case imported

        /// As the command line has it.
        package var name: String {
            switch self {
            case .sample: "sample"
            case .watch: "watch"
            case .compare: "compare"
            case .imported: "import"
            }
        }
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
