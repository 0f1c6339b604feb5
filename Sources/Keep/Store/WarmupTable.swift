import SQLite
import Samples
import Statistics

/// Only rollups whose warm-ups saw a cache hit or miss have a row.
extension HitShare: HourlyFigures {
    static let table = "warmup"
    static let names = ["hits", "misses"]

    init() { self.init(hits: 0) }

    var isEmpty: Bool { count == 0 }

    /// The counts within the limit for reading, whatever an imported file contained.
    var asStored: HitShare {
        HitShare(hits: min(hits, Int(mostCounted)), misses: min(misses, Int(mostCounted)))
    }

    var values: [(any StatementBinding)?] { [Int64(asStored.hits), Int64(asStored.misses)] }

    init(_ row: Statement) throws {
        self.init(hits: try Self.count(row.integer(0)), misses: try Self.count(row.integer(1)))
    }
}
