import DNSWire
import Samples

/// What a sample has of small closed sets, packed into one integer; 0 is the most frequent.
struct SampleState {
    var outcome: Outcome
    var clock: ClockSource
    var cache: CacheState?
    var responseCode: ResponseCode?

    init(_ observation: Observation) {
        outcome = observation.outcome
        clock = observation.clock
        cache = observation.cache
        responseCode = observation.responseCode
    }

    /// Reads what ``packed`` gave; `nil` for any other number.
    init?(packed: Int64) {
        guard packed >= 0, let outcome = Outcome(rawValue: UInt8(packed & 7)),
            let clock = ClockSource(rawValue: UInt8(packed >> 3 & 3)), packed >> 7 <= 0x1_0001
        else { return nil }
        self.outcome = outcome
        self.clock = clock
        switch packed >> 5 & 3 {
        case 0: cache = nil
        case 1: cache = .hit
        case 2: cache = .miss
        default: return nil
        }
        switch packed >> 7 {
        case 0: responseCode = Self.usualCode(outcome)
        case 1: responseCode = nil
        case let code: responseCode = ResponseCode(rawValue: UInt16(code - 2))
        }
    }

    var packed: Int64 {
        let cacheNumber: Int64 =
            switch cache {
            case nil: 0
            case .hit: 1
            case .miss: 2
            }
        let code: Int64 =
            if responseCode == Self.usualCode(outcome) { 0 } else {
                responseCode.map { Int64($0.rawValue) + 2 } ?? 1
            }
        return Int64(outcome.rawValue) | Int64(clock.rawValue) << 3 | cacheNumber << 5 | code << 7
    }

    /// The response code that goes without saying.
    private static func usualCode(_ outcome: Outcome) -> ResponseCode? {
        outcome == .answered ? .noError : nil
    }
}

/// How the connection of a sample was used, and the sample's flags, packed into one integer; `nil`
/// where there is nothing to tell.
struct ConnectionState {
    var use: ConnectionUse?
    var flags: SampleFlags

    /// Stands for no ``use``.
    static let noUse: Int64 = 4

    init(_ extras: Observation.Extras) {
        use = extras.connection
        flags = extras.flags
    }

    /// Reads what ``packed`` gave.
    init(packed: Int64?) {
        let packed = packed ?? Self.noUse
        use = ConnectionUse(rawValue: UInt8(packed & 7))
        flags = SampleFlags(rawValue: UInt8(truncatingIfNeeded: packed >> 3))
    }

    var packed: Int64? {
        guard use != nil || !flags.isEmpty else { return nil }
        return (use.map { Int64($0.rawValue) } ?? Self.noUse) | Self.packed(flags)
    }

    /// The part of ``packed`` that has the flags.
    static func packed(_ flags: SampleFlags) -> Int64 { Int64(flags.rawValue) << 3 }
}
