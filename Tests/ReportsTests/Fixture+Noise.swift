import DNSWire
import Foundation
import Samples

extension Fixture {
    /// Returns outcomes with latencies above `base`, in milliseconds. The excess is exponentially distributed
    /// with the mean `scale`, without order. Of a hundred queries, `lost` get no answer.
    static func noise(
        _ base: Double,
        _ scale: Double,
        seed: UInt64,
        lost: Int = 0
    ) -> (Int) -> Observation {
        { number in
            let unit = Self.unit(seed &* 1_000_003 &+ UInt64(number))
            let isLost = Self.unit(seed &* 7_919 &+ UInt64(number) &+ 0x5eed) * 100 < Double(lost)
            return isLost ? .none(.timeout) : .answer(base - scale * log(max(unit, 1e-6)))
        }
    }

    /// Returns a pseudo-random number from 0 to 1 (SplitMix64: Steele, Lea & Flood 2014).
    static func unit(_ number: UInt64) -> Double {
        var mixed = (number &+ 1) &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        return Double(mixed >> 11) / Double(1 << 53)
    }
}
