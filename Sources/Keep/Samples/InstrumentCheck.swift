package import DNSWire

/// The current accuracy of the instrument on this machine, measured by queries to its own echo server on
/// loopback.
package struct InstrumentCheck: Hashable, Sendable, Codable {
    /// The echo's round trips in nanoseconds, ascending; never empty.
    package let roundTrips: [Int64]
    /// The errors of the round trips in nanoseconds, ascending: the round trip minus the time for which the
    /// echo held the query. They include the way over loopback.
    package let errors: [Int64]
    /// The number of round trips per clock that stamped them.
    package let clocks: [ClockSource: Int]
    /// The delays of the event loop's wake-ups in nanoseconds, ascending.
    package let wakeLateness: [Int64]
    /// The delays of the queries after their planned times in nanoseconds, ascending.
    package let sendLateness: [Int64]
    /// The change of the wall clock during the check, in nanoseconds; `nil` if there was none.
    package let clockStep: Int64?
    /// The use of the processors during the check; `nil` if the system does not report it.
    package var use: ProcessorUse?

    /// Returns `nil` if there is no round trip.
    package init?(
        roundTrips: [Int64],
        errors: [Int64] = [],
        clocks: [ClockSource: Int],
        wakeLateness: [Int64],
        sendLateness: [Int64] = [],
        clockStep: Int64? = nil
    ) {
        guard !roundTrips.isEmpty else { return nil }
        self.roundTrips = roundTrips.sorted()
        self.errors = errors.sorted()
        self.clocks = clocks
        self.wakeLateness = wakeLateness.sorted()
        self.sendLateness = sendLateness.sorted()
        self.clockStep = clockStep
    }

    /// The least exact clock that stamped one of the round trips.
    package var clock: ClockSource { clocks.filter { $0.value > 0 }.keys.max() ?? .user }

    /// The share of the round trips that `clock` stamped.
    package func share(of clock: ClockSource) -> Double {
        Double(clocks[clock] ?? 0) / Double(roundTrips.count)
    }

    /// The number of queries that left at most `limit` nanoseconds after their planned time.
    package func sent(within limit: Int64) -> Int { sendLateness.prefix { $0 <= limit }.count }

    /// The median round trip in nanoseconds: the time that the instrument adds without a network.
    package var median: Int64 { roundTrips[(roundTrips.count - 1) / 2] }

    /// The median round trip in nanoseconds, if it is above a millisecond.
    package var slowness: Int64? { median > Self.tolerable ? median : nil }

    /// The median delay of the wake-ups in nanoseconds, if it is above a millisecond.
    package var tardiness: Int64? {
        Self.median(wakeLateness).flatMap { $0 > Self.tolerable ? $0 : nil }
    }

    /// The median of ascending figures; `nil` without any.
    package static func median(_ ascending: [Int64]) -> Int64? {
        ascending.isEmpty ? nil : ascending[(ascending.count - 1) / 2]
    }

    /// The 99th percentile of ascending figures; `nil` for fewer than 100, because it would be the maximum.
    package static func p99(_ ascending: [Int64]) -> Int64? {
        let count = ascending.count
        return count < 100 ? nil : ascending[(99 * count + 99) / 100 - 1]
    }

    private static let tolerable: Int64 = 1_000_000
}

extension InstrumentCheck {
    private enum CodingKeys: String, CodingKey {
        case roundTrips, errors, clocks, wakeLateness, sendLateness, clockStep, use
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let check = InstrumentCheck(
            roundTrips: try values.decode([Int64].self, forKey: .roundTrips),
            errors: try values.decode([Int64].self, forKey: .errors),
            clocks: try values.decode([ClockSource: Int].self, forKey: .clocks),
            wakeLateness: try values.decode([Int64].self, forKey: .wakeLateness),
            sendLateness: try values.decode([Int64].self, forKey: .sendLateness),
            clockStep: try values.decodeIfPresent(Int64.self, forKey: .clockStep)
        )
        guard var check,
            check.clocks.values.allSatisfy({ (0...check.roundTrips.count).contains($0) })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .clocks,
                in: values,
                debugDescription: "not the clocks of round trips"
            )
        }
        check.use = try values.decodeIfPresent(ProcessorUse.self, forKey: .use)
        self = check
    }
}
