import Foundation
import Statistics
import Testing

/// Compares a thousand random data sets with the reference's results in Reference/random.tsv.
struct VerdictRandomTests {
    @Test func `a thousand random data sets have the reference's results`() throws {
        let file = ReferenceGolden.folder.appending(path: "random.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let names = lines[0].split(separator: "\t").dropFirst().map(String.init)
        var expected = lines.dropFirst().map { $0.split(separator: "\t").map(String.init) }[...]
        var sets = 0
        while let seed = expected.first.flatMap({ UInt64($0[0]) }) {
            let dataset = ReferenceDataset(seed: seed)
            for comparison in dataset.comparisons {
                let next = expected.popFirst()
                let row = try #require(next)
                #expect(Self.differing(comparison, Array(row.dropFirst()), names) == [], "\(seed)")
            }
            let last = expected.popFirst()
            let row = try #require(last)
            let ranks = dataset.ranking?.ranks.map { "\($0.lowerBound)-\($0.upperBound)" }
            #expect((ranks?.joined(separator: " ") ?? "-") == row[2], "\(seed)")
            sets += 1
        }
        #expect(sets == 1000)
    }

    /// Returns the columns that differ by more than 10⁻⁶.
    private static func differing(
        _ comparison: Comparison,
        _ row: [String],
        _ names: [String]
    ) -> [String] {
        let figures = comparison.figures
        let words = ["verdict": comparison.verdict.rawValue, "reason": comparison.reason.rawValue]
        return zip(names, row).compactMap { name, text in
            if let word = words[name] { return word == text ? nil : "\(name) \(word), not \(text)" }
            let figure = figures[name] ?? .nan
            return agree(figure, Double(text), within: 1e-6)
                ? nil : "\(name) \(figure, default: "–"), not \(text)"
        }
    }
}
