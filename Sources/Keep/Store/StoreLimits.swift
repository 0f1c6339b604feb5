import Catalogue
import Samples
import Statistics

/// The bounds of the values in the rows of a store. Another engine that keeps copies of rows rejects other
/// values.
package enum StoreLimits {
    /// The maximum length of a text in bytes. The longest text that is written is a DNS name of 255 bytes
    /// with four characters per byte (`\DDD`). Three times this length is a reserve for rows of older
    /// versions.
    package static let longestText = 4 * 4 * Resolver.longestName
    /// The maximum length of a trace's hops in bytes. A hop is an address of 39 bytes with a zone of 15
    /// bytes, and a number of 19 digits.
    package static let longestHops = PathTrace.mostHops * 76
    /// The maximum length of a list of response codes in bytes. Response codes have 12 bits (RFC 6891,
    /// section 6.1.3). The longest entry is `RCODE4095 4294967296` and a space.
    package static let longestFailures = 4_096 * 21
    /// The maximum length of a sketch in bytes.
    package static let longestSketch = LatencySketch.mostBytes
    /// The last bucket of a sketch, counted from the first.
    package static let lastBucket = LatencySketch.lastBucket
    /// The maximum count in a sum. It is more than the number of queries in an hour. The sum of as many rows
    /// as a file can have fits into 64 bits.
    package static let mostCounted: Int64 = 1 << 32
    /// The maximum number of samples with which a round is read.
    package static let mostSamples = RoundCodec.mostSamples
    /// The hours, counted from 1970, that contain a representable moment.
    package static let hours =
        Timestamp(nanoseconds: .min).hourNumber...Timestamp(nanoseconds: .max).hourNumber

    /// The minimum number of bytes of a packed round without its samples, and of each sample. A sample has
    /// its mask of columns, its resolver with the question, the time and the state.
    package static let leastPacked = (round: 4, sample: 4)

    /// The maximum numbers of bytes with these columns. A 64-bit number has up to ten bytes.
    package static func mostPacked(columns: Int) -> (round: Int, sample: Int) {
        (1 + 3 * 10, 10 + columns * 10)
    }

    /// The maximum number of bytes per round in a day: seven numbers.
    package static let mostOfRound = 7 * 10
    /// The maximum number of bytes of a day's rounds: 200,000 rounds that are not joined.
    package static let longestDay = 200_000 * mostOfRound
}
