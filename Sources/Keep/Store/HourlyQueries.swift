import Samples

/// The queries of each hour, counted from the rows of rounds and from the hourly sums. The sums may count more: the
/// queries of a round that reaches into several hours cannot be divided among them.
struct HourlyQueries {
    struct Count {
        fileprivate(set) var ofRounds: Int64 = 0
        fileprivate(set) var ofSums: Int64 = 0
    }

    /// By hour, counted from 1970. Only rounds add hours.
    private(set) var counts: [Int64: Count] = [:]

    /// The hours of which sums are missing.
    var lacking: [Int64: Count] { counts.filter { $0.value.ofSums < $0.value.ofRounds } }

    /// Adds a round. Its first query is in its first hour.
    mutating func add(_ round: StoredRound) {
        guard round.round.isCounted, round.row.samples > 0 else { return }
        let hour = round.hours.lowerBound
        add(round.hours.upperBound == hour ? round.row.samples : 1, at: hour)
    }

    /// Adds queries of a round. A false count in a file may be large, but must not end the program.
    mutating func add(_ queries: Int64, at hour: Int64) {
        counts[hour, default: Count()].ofRounds &+= queries
    }

    /// Adds a sum, after the rounds of its hour.
    mutating func add(_ sum: OutcomeCounts, at hour: Int64) {
        counts[hour]?.ofSums &+= Int64(sum.all)
    }

    mutating func remove(_ hours: Range<Int64>) {
        counts = counts.filter { !hours.contains($0.key) }
    }
}
