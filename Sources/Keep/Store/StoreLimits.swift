import Catalogue
import Samples
import Statistics

/// Bounds of the values in the rows of a store. Another engine that keeps copies of rows rejects
/// other values.
package enum StoreLimits {
    /// The longest text in bytes. The longest that is written is a DNS name of 255 bytes with four
    /// characters per byte (`\DDD`); rows of older versions have three times more as a reserve.
    package static let longestText = 4 * 4 * Resolver.longestName
    /// The longest hops of a trace in bytes: 39 of an address with a zone of 15, and 19 digits.
    package static let longestHops = PathTrace.mostHops * 76
    /// The longest list of response codes in bytes: each of 12 bits (RFC 6891, section 6.1.3), as
    /// `RCODE4095 4294967296` and a space.
    package static let longestFailures = 4_096 * 21
    /// The longest sketch in bytes.
    package static let longestSketch = LatencySketch.mostOctets
    /// The last bucket of a sketch, counted from the first.
    package static let lastBucket = LatencySketch.lastBucket
    /// The largest count of a sum: more queries than can be asked in an hour, and sums of as many rows
    /// as a file can have fit into 64 bits.
    package static let mostCounted: Int64 = 1 << 32
    /// The most samples that a round is read with.
    package static let mostSamples = RoundCodec.mostSamples
    /// The hours since 1970 that moments have.
    package static let hours =
        Timestamp(nanoseconds: .min).hourNumber...Timestamp(nanoseconds: .max).hourNumber

    /// The least bytes of a packed round besides its samples, and of each sample: the columns that
    /// have a value, the resolver with the question, the time and the state.
    package static let leastPacked = (round: 4, sample: 4)

    /// The same at most, with these columns: a number of 64 bits has ten bytes.
    package static func mostPacked(columns: Int) -> (round: Int, sample: Int) {
        (1 + 3 * 10, 10 + columns * 10)
    }

    /// The most bytes that a day has per round: seven numbers.
    package static let mostOfRound = 7 * 10
    /// The most bytes of a day's rounds: of 200,000 rounds, none of which joins the round before it.
    package static let longestDay = 200_000 * mostOfRound
}
