import DNSWire
import Fixtures
import Foundation
import Samples
import Statistics
import Testing

@testable import Store

/// The views that other programs read with SQL.
struct ViewTests {
    private let folder = TemporaryFolder()
    private let store: Store

    init() throws {
        store = try Store(path: folder.file("store.sqlite"))
        var simulation = try Simulation()
        _ = try simulation.fill(store, run: "r", rounds: 30)
        simulation.vantage = "there"
        let moment = Simulation.start.advanced(by: .nanoseconds(7_200_000_000_001))
        try simulation.append(
            simulation.round(at: moment),
            run: "s",
            origin: .watch,
            marks: [.outage, .again],
            to: store
        )
    }

    private func rows(of view: String, by order: String = "1") throws -> [OtherProgram.Row] {
        try OtherProgram.rows(of: view, by: order, in: store.path)
    }

    /// Returns a value as text, or `nil` for no value. Equal integers and floating-point numbers have the
    /// same text.
    private static func text(_ value: Any?) -> String? {
        switch value {
        case let number as Double: "\(number)"
        case let number as Int: "\(Double(number))"
        case let text as String: text
        default: nil
        }
    }

    @Test func `the view of samples has the cells of a samples file`() throws {
        let recording = try store.recording(Store.Window(includesMarked: true))
        #expect(Set(recording.samples.map(\.observation.outcome)) == Set(Outcome.allCases))
        var csv: [UInt8] = []
        try SamplesWriter.write(recording, as: .csv) { csv += $0 }
        let titles = String(decoding: csv, as: UTF8.self).prefix { $0 != "\n" }.split(
            separator: ","
        )
        var lines: [UInt8] = []
        try SamplesWriter.write(recording, as: .jsonLines) { lines += $0 }
        let expected = try lines.split(separator: UInt8(ascii: "\n")).map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
            return titles.map { title in
                let value = object[String(title)]
                return Self.text(value is String ? value : (value as? NSNumber)?.doubleValue)
            }
        }
        let rows = try rows(of: "samples")
        #expect(rows.count == 31 * 9)
        #expect(rows.allSatisfy { $0.columns == titles.map(String.init) })
        let found = rows.map { $0.values.map(Self.text) }
        func sorted(_ rows: [[String?]]) -> [[String?]] {
            rows.sorted { $0.description < $1.description }
        }
        #expect(sorted(found) == sorted(expected))
    }

    @Test func `the view of rounds includes their runs`() throws {
        let rows = try rows(of: "rounds", by: "start, run")
        let rounds = try store.rounds()
        #expect(rows.count == rounds.count)
        for (row, stored) in zip(rows, rounds) {
            #expect(row["run"] == stored.run.id && row["vantage"] == stored.run.vantage)
            #expect(row["round"] == Int(stored.round.number))
            #expect(row["start"] == stored.round.started.description)
            #expect(row["stop"] == stored.stop.description)
            #expect(row["run_started"] == stored.run.started.description)
            #expect(row["samples"] == stored.samples)
            #expect(row["round_marks"] == stored.round.marks.text)
            #expect(row["origin"] == stored.run.origin.description)
            #expect(row["interval_ms"] == 300_000.0 && row["timeout_ms"] == 5000.0)
        }
        #expect(rows.contains { $0["round_marks"] as String? == "outage again" })
    }

    @Test func `the view of hours has the counts and means of hourly sums`() throws {
        let rows = try rows(of: "hours")
        let sums = try store.rollups()
        #expect(rows.count == sums.count)
        for sum in sums {
            let row = try #require(
                rows.first { row in
                    row["hour"] == sum.hour.description && row["resolver"] == sum.target.label
                        && row["vantage"] == sum.vantage && row["type"] == sum.type.description
                        && row["origin"] == sum.origin.description
                        && row["series"] == sum.target.series.description
                }
            )
            #expect(row["answered"] == sum.counts[.answered])
            #expect(row["timeouts"] == sum.counts[.timeout])
            #expect(row["unreachable"] == sum.counts[.unreachable])
            #expect(row["malformed"] == sum.counts[.malformed])
            #expect(row["filtered"] == sum.counts[.filtered])
            #expect(row["wrong"] == sum.counts[.wrong])
            #expect((row["failures"] as String? == nil) == sum.counts.responseCodes.isEmpty)
            #expect(row["min_ms"] == sum.latency.minimum && row["max_ms"] == sum.latency.maximum)
            #expect(row["failed"] == sum.counts.errorResponses)
            let summary = sum.latency.summary(timeout: sum.timeout.milliseconds)
            let (mean, expected) = (row["mean_ms"] as Double?, summary.restrictedMean)
            #expect((mean == nil) == (expected == nil))
            #expect(abs((mean ?? 0) - (expected ?? 0)) < 1e-9)
        }
    }

    @Test func `a number without a word remains a number`() throws {
        try OtherProgram.run(
            "DELETE FROM word WHERE word = 'SERVFAIL' OR kind = 'type' OR kind = 'outcome'",
            on: store.path
        )
        let words = try rows(of: "samples")
        let outcomes = Set(words.map { $0["outcome"] as Int? })
        #expect(outcomes == Set(0...8))
        let types = Set(words.map { $0["type"] as String? })
        #expect(types == ["TYPE1", "TYPE28"])
        let codes = Set(words.map { $0["rcode"] as String? })
        #expect(codes == [nil, "NOERROR", "NXDOMAIN", "REFUSED", "RCODE2", "RCODE3841"])
        #expect(try store.check().isSound)
    }

    @Test func `the check reports a changed word`() throws {
        try OtherProgram.run(
            "UPDATE word SET word = 'answered' WHERE kind = 'outcome' AND number = 2",
            on: store.path
        )
        #expect(try store.check().findings == ["the word of outcome 2 is not as it was stored"])
    }
}
