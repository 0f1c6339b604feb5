import Testing

@testable import Statistics

struct MedianBoundTests {
    /// All lists with up to five of these values.
    private static let rows: [[Double]] = {
        let values: [Double] = [-.infinity, -6, -5, -0.0, 1, .infinity]
        var rows: [[Double]] = [[]]
        for _ in 0..<5 {
            let longer = rows.flatMap { row in values.map { row + [$0] } }
            rows += longer
        }
        return rows
    }()

    @Test(arguments: [Double.infinity, 0.5, 0, -5])
    func `counting gives the same result as sorting`(limit: Double) {
        let unlike = Self.rows.first { row in
            var bound = MedianBound(limit)
            for value in row { bound.add(value) }
            let isReached = row.median.map { $0 >= limit } ?? false
            return bound.isReached != isReached
        }
        #expect(unlike == nil)
    }
}
