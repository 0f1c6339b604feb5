import Foundation
import Statistics
import Testing

/// The contents of Reference/levels.json: the reference's unrounded results.
struct LevelReference: Decodable {
    struct Row: Decodable {
        let kind: String
        let start: Int
        let within: [Int]
        let end: Int?
        let established: Int
        let size: Double
        let before: Double
        let rate: Double?
        let interval: [Double]
        let rateInterval: [Double]?
    }

    struct Series: Decodable {
        let name: String
        let rows: [Row]
    }

    struct Profile: Decodable {
        let days: Int
        let deviations: [Double]
        let weeklyPart: [Double]
    }

    struct Noise: Decodable {
        let count: Int
        let lengths: [Int]
        let deviations: [Double]
        let variancePerHour: Double
    }

    struct Fit: Decodable {
        let score: Double
        let start: Int
        let end: Int?
        let before: Double
        let after: Double
        let rate: Double
        let rateError: Double
    }

    struct Shapes: Decodable {
        let kind: String
        let step: Double
        let stairs: Double
        let drift: Fit
        let ended: Fit
    }

    let series: [Series]
    let profiles: [Profile]
    let noises: [Noise]
    let shapes: [Shapes]

    static func read() throws -> LevelReference {
        let file = ReferenceGolden.folder.appending(path: "levels.json")
        return try JSONDecoder().decode(LevelReference.self, from: Data(contentsOf: file))
    }
}

/// Expects a row of the scan to be equal to the row of the reference, numbers to 1e-9.
func expectEqual(_ row: LevelRow, _ expected: LevelReference.Row, _ comment: Comment) {
    #expect(row.kind.rawValue == expected.kind, comment)
    #expect(row.start == expected.start, comment)
    #expect([row.within.lowerBound, row.within.upperBound] == expected.within, comment)
    #expect(row.end == expected.end, comment)
    #expect(row.established == expected.established, comment)
    expectEqual([row.size, row.before], [expected.size, expected.before], comment)
    expectEqual([row.interval.lowerBound, row.interval.upperBound], expected.interval, comment)
    #expect(agree(row.rate, expected.rate, within: 1e-9), comment)
    let rates = row.rateInterval.map { [$0.lowerBound, $0.upperBound] } ?? []
    expectEqual(rates, expected.rateInterval ?? [], comment)
}

/// Expects numbers to be equal to 1e-9.
func expectEqual(_ values: [Double], _ expected: [Double], _ comment: Comment) {
    #expect(values.count == expected.count, comment)
    for (value, reference) in zip(values, expected) {
        #expect(agree(value, reference, within: 1e-9), comment)
    }
}
