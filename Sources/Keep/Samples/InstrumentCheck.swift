package import DNSWire

/// How good the instrument is on this machine, now: queries to an echo of its own on loopback.
package struct InstrumentCheck: Hashable, Sendable, Codable {
    /// The echo's round trips in nanoseconds, ascending; never empty.
    package let roundTrips: [Int64]
    /// Errors of the round trips in nanoseconds, ascending: what they are longer or shorter than the
    /// time that the echo kept the query. The way over loopback is part of them.
    package let errors: [Int64]
    /// How many round trips were stamped by which clock.
    package let clocks: [ClockSource: Int]
    /// How much later than wanted the event loop woke, in nanoseconds, ascending.
    package let wakeLateness: [Int64]
    /// How much later than planned queries left, in nanoseconds, ascending.
    package let sendLateness: [Int64]
    /// How far the wall clock was set meanwhile, in nanoseconds, where it was.
    package let clockStep: Int64?
    /// The processors' use meanwhile; `nil` where the system does not tell.
    package var use: ProcessorUse?

    /// `nil` without a round trip.
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

    /// How many queries left at most so many nanoseconds after their plan.
    package func sent(within limit: Int64) -> Int { sendLateness.prefix { $0 <= limit }.count }

    /// The median round trip, in nanoseconds: what the instrument adds where there is no network.
    package var median: Int64 { roundTrips[(roundTrips.count - 1) / 2] }

    /// The median round trip, in nanoseconds, where it is above a millisecond.
    package var slowness: Int64? { median > Self.tolerable ? median : nil }

    /// How late every second wake-up is or later, in nanoseconds, where that is above a millisecond.
    package var tardiness: Int64? {
        Self.median(wakeLateness).flatMap { $0 > Self.tolerable ? $0 : nil }
    }

    /// The median of ascending figures; `nil` without any.
    package static func median(_ ascending: [Int64]) -> Int64? {
        ascending.isEmpty ? nil : ascending[(ascending.count - 1) / 2]
    }

    /// The 99th percentile of ascending figures; `nil` of fewer than 100, whose greatest it would be.
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
