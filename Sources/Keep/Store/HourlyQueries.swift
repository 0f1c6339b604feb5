import Samples

/// The number of queries that the sums of an hour must count at least, from the rows of rounds. The sums may count
/// more: the queries of a round that reaches into several hours cannot be divided among them.
struct HourlyQueries {
    /// By hour, counted from 1970.
    var counts: [Int64: Int64] = [:]

    /// Adds a round. Its first query is in its first hour.
    mutating func add(_ round: StoredRound) {
        guard round.round.isCounted, round.row.samples > 0 else { return }
        let hour = round.hours.lowerBound
        let count = round.hours.upperBound == hour ? round.row.samples : 1
        let (sum, isBeyond) = counts[hour, default: 0].addingReportingOverflow(count)
        counts[hour] = isBeyond ? .max : sum
    }
}
