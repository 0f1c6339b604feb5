import SQLite
import Samples
import Statistics

/// Only those rollups have a row of which warm-ups told something.
extension HitShare: HourlyFigures {
    static let table = "warmup"
    static let names = ["hits", "misses"]

    init() { self.init(hits: 0) }

    var isEmpty: Bool { count == 0 }

    /// The same as it can be read again, whatever a file said that was imported.
    var asStored: HitShare {
        HitShare(hits: min(hits, Int(mostCounted)), misses: min(misses, Int(mostCounted)))
    }

    var values: [(any StatementBinding)?] { [Int64(asStored.hits), Int64(asStored.misses)] }

    init(_ row: Statement) throws {
        self.init(hits: try Self.count(row.integer(0)), misses: try Self.count(row.integer(1)))
    }
}
