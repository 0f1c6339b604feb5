/// The limits on the rows that a reader takes from a central store, whatever its places stored there. Values
/// that the server keeps compressed count with their full length.
struct CentralBudget {
    struct Size {
        var rows: Int64 = 0
        var bytes: Int64 = 0
        var samples: Int64 = 0
    }

    /// 256 MiB per place, and four times as much for all places together.
    static let bytesOfPlace: Int64 = 256 << 20
    private static let bytesOfAll = 4 * bytesOfPlace
    static let samples: Int64 = 20_000_000
    /// The maximum number of rows. Each row takes at least one byte.
    static let mostRows = bytesOfPlace
    /// The approximate size of the rows that are in memory at the same time, in bytes.
    static let bytesAtOnce: Int64 = 16 << 20

    private var taken: [Int64: Size] = [:]

    /// Adds the sizes of the rows to read from some tables, by source. Returns the sources that cannot be
    /// read, with the reasons. These are the sources that exceed the limit of a place, and then the largest
    /// sources until the rest fits.
    mutating func add(_ sizes: [[Int64: Size]]) -> [Int64: String] {
        for (source, size) in sizes.joined() {
            taken[source, default: Size()].bytes += size.bytes
            taken[source]?.samples += size.samples
        }
        var reasons: [Int64: String] = [:]
        for (source, size) in taken where size.bytes > Self.bytesOfPlace {
            reasons[source] = "it has more than \(Self.bytesOfPlace >> 20) MiB of rows to read"
            taken[source] = nil
        }
        shrink(\.bytes, to: Self.bytesOfAll, &reasons) {
            "more than \(Self.bytesOfAll >> 20) MiB of rows would be read with it"
        }
        shrink(\.samples, to: Self.samples, &reasons) {
            "more than \(Self.samples) samples would be read with it"
        }
        return reasons.mapValues { "\($0): choose a shorter time with --since and --until" }
    }

    private mutating func shrink(
        _ amount: KeyPath<Size, Int64>,
        to most: Int64,
        _ reasons: inout [Int64: String],
        _ reason: () -> String
    ) {
        var total = taken.values.reduce(0) { $0 + $1[keyPath: amount] }
        while total > most,
            let largest = taken.max(by: {
                ($0.value[keyPath: amount], $0.key) < ($1.value[keyPath: amount], $1.key)
            })
        {
            reasons[largest.key] = reason()
            total -= largest.value[keyPath: amount]
            taken[largest.key] = nil
        }
    }
}
