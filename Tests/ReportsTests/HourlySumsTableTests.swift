import Fixtures
import Samples
import Testing

@testable import Reports

struct HourlySumsTableTests {
    private static func sums() throws -> [HourlySum] {
        let recording = try HistoryFixture().recording(rounds: 0..<8) { query in
            query.resolver == 1 && query.noise < 0.3
                ? .none(.timeout) : .answer(10 + Double(query.resolver) + query.noise)
        }
        return HistoryFixture.sums(of: recording)
            .sorted { ($0.hour, $0.target.label) < ($1.hour, $1.target.label) }
    }

    @Test(arguments: [SamplesFormat.csv, .jsonLines])
    func `a row has the hour's counts and times`(format: SamplesFormat) throws {
        let table = HourlySumsTable(format)
        let text = try table.header + Self.sums().map(table.row).joined()
        try Golden.expect(text, in: "hourly-sums.\(format.rawValue)")
    }

    @Test func `every row has a cell for each column`() throws {
        let table = HourlySumsTable(.csv)
        let width = table.header.split(separator: ",", omittingEmptySubsequences: false).count
        let sums = try Self.sums()
        #expect(!sums.isEmpty)
        for sum in sums {
            let cells = table.row(sum).split(separator: ",", omittingEmptySubsequences: false)
            #expect(cells.count == width)
        }
    }
}
