import Analysis
import DNSWire
import Fixtures
import Samples
import Statistics
import Testing

@testable import Reports

@Suite struct PlacesReportTests {
    private static let rounds = 0..<96

    /// Two days of three resolvers at each of several places. At the first `near` places, brook is 9 ms
    /// faster than meadow. At the other places, it is 2 ms slower. The time of harbour is different at each
    /// place.
    private func report(
        places: Int,
        near: Int,
        rounds: Range<Int> = rounds,
        against baseline: String = "meadow",
        margin: Double = 5,
        by groups: PlaceGroups? = nil
    ) throws -> PlacesReport {
        PlacesReport(
            of: try hours(places: places, near: near, rounds: rounds),
            against: WindowBaseline(baseline, rules: ComparisonRules(margin: margin)),
            by: groups,
            context: HistoryFixture.context(rounds: rounds)
        )
    }

    private func hours(places: Int, near: Int, rounds: Range<Int> = rounds) throws -> HistoryHours {
        var hours = HistoryHours(clock: HistoryFixture.berlin)
        for place in 0..<places {
            var fixture = HistoryFixture()
            fixture.vantage = "place \(place + 1)"
            hours.add(
                whole: try fixture.recording(rounds: rounds) { query in
                    let own = [20, 12 + 9 * Double(place), place < near ? 11 : 22]
                    return .answer(own[query.resolver] + query.noise)
                }
            )
        }
        return hours
    }

    /// The first `german` places are in Germany. The others are in Norway, except the last one, which has no
    /// country.
    private func countries(_ german: Int, of places: Int) -> PlaceGroups {
        let values = (1..<places).map { ("place \($0)", $0 <= german ? "DE" : "NO") }
        return PlaceGroups(label: "country", values: Dictionary(uniqueKeysWithValues: values))
    }

    @Test func `a group of places has the median of its places`() throws {
        let hours = try hours(places: 16, near: 12)
        let report = PlaceGroupsReport(
            of: hours,
            by: countries(12, of: 16),
            context: HistoryFixture.context(rounds: Self.rounds)
        )
        for format in [OutputFormat.text, .csv, .json] {
            let text = report.render(as: format, width: 100, colour: false)
            try Golden.expect(text, in: "place-groups.\(format.rawValue)")
        }
        let brook = report.rows.filter { $0.target.label == "brook" }
        #expect(Set(brook.map(\.group)) == ["DE", "NO", "–"])
        let german = try #require(brook.first { $0.group == "DE" })
        #expect(german.places == 12 && (11...12).contains(german.median.value))
        #expect(german.median.lower != nil && german.median.effectiveCount == 9)
        // The groups of three places and of one place are too small for an interval.
        #expect(brook.allSatisfy { $0.group == "DE" || $0.median.upper == nil })
        // The slowest group comes first. All resolvers have the same weight in this order.
        #expect(report.rows.map(\.group).uniqued.last == "DE")
    }

    @Test func `resolvers that differ by place are one resolver in all groups`() throws {
        var hours = HistoryHours(clock: HistoryFixture.berlin)
        for place in 1...4 {
            var fixture = HistoryFixture()
            fixture.vantage = "place \(place)"
            fixture.endpoints[0] = "10.0.0.\(place):53"
            hours.add(
                whole: try fixture.recording(rounds: Self.rounds) { query in
                    .answer(Double(place * 10 + query.resolver))
                }
            )
        }
        let report = PlaceGroupsReport(
            of: hours,
            by: countries(2, of: 4),
            context: HistoryFixture.context(rounds: Self.rounds)
        )
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(text.contains("meadow: slowest without the label (40.0 ms), fastest at DE"))
        #expect(!text.contains("measured only at"), "\(text)")
    }

    @Test(arguments: [Observation.none(.timeout), .failure(.refused)])
    func `a group with too few answers for a median is slowest`(failure: Observation) throws {
        var hours = HistoryHours(clock: HistoryFixture.berlin)
        for place in 1...2 {
            var fixture = HistoryFixture()
            fixture.vantage = "place \(place)"
            hours.add(
                whole: try fixture.recording(rounds: Self.rounds) { query in
                    query.resolver == 1 || place == 2 && query.resolver == 0
                        ? failure : .answer(12)
                }
            )
        }
        let report = PlaceGroupsReport(
            of: hours,
            by: countries(1, of: 2),
            context: HistoryFixture.context(rounds: Self.rounds)
        )
        let text = report.render(as: .text, width: 100, colour: false)
        #expect(
            text.contains("meadow: slowest without the label (failed), fastest at DE (12.0 ms).")
        )
        #expect(text.contains("harbour: no usable answer to most queries."), "\(text)")
        #expect(text.contains("brook: median 12.0 ms throughout."), "\(text)")
    }

    @Test func `groups of places are compared simultaneously`() throws {
        let report = try report(places: 16, near: 12, by: countries(12, of: 16))
        let text = report.render(as: .text, width: 100, colour: false)
        try Golden.expect(text, in: "places-by-country.txt")
        let brook = try #require(report.findings.first)
        let parts = brook.parts(by: countries(12, of: 16))
        #expect(parts["DE"]?.share == 1...1 && parts["NO"]?.share == 0...0)
        #expect(parts["–"]?.places.map(\.vantage) == ["place 16"])
        let members = report.render(as: .json, width: 100, colour: false)
        #expect(members.contains("\"label\": \"country\""))
        let harbour = try #require(report.summaries.first { $0.target.label == "harbour" })
        #expect(harbour.places == 16)
    }

    @Test func `places are named, and their share has an interval`() throws {
        let report = try report(places: 3, near: 2)
        for format in [OutputFormat.text, .csv, .json, .markdown] {
            let text = report.render(as: format, width: 80, colour: false)
            try Golden.expect(text, in: "places.\(format.rawValue)")
        }
        let brook = try #require(report.findings.first)
        #expect(
            brook.target.label == "brook" && brook.places.map(\.isFaster) == [true, true, false]
        )
        #expect(brook.places.map(\.isNotFaster) == [false, false, true])
        #expect(brook.share == 2.0 / 3...2.0 / 3)
        #expect(brook.places.map(\.hours.count) == [48, 48, 48])
        let difference = try #require(brook.places[0].difference)
        #expect((8...10).contains(difference))
    }

    /// Each resolver is measured in two series. All except the baseline are measured over two transports.
    @Test func `series and transports are distinguished, in a fixed order`() throws {
        var hours = HistoryHours(clock: HistoryFixture.berlin)
        for place in 1...3 {
            for (series, more) in [(Series.cached, 0.0), (.uncached, 60)] {
                for transport in ["udp", "tls"] {
                    var fixture = HistoryFixture()
                    fixture.vantage = "place \(place)"
                    var recording = try fixture.recording(rounds: 0..<8) { query in
                        .answer(20 + more + query.noise)
                    }
                    for index in recording.targets.indices {
                        recording.targets[index].series = series
                        let isOther = recording.targets[index].label != "meadow"
                        if isOther { recording.targets[index].transport = .init(transport) }
                    }
                    recording.runs[0].id += "\(series) \(transport)"
                    hours.add(whole: recording)
                }
            }
        }
        let report = PlacesReport(
            of: hours,
            against: WindowBaseline("meadow", rules: ComparisonRules(margin: 5)),
            context: HistoryFixture.context(rounds: 0..<8)
        )
        let told = report.findings.map {
            "\($0.target.label) \($0.target.series) \($0.target.transport)"
        }
        #expect(
            told
                == ["brook", "harbour"].flatMap { label in
                    ["cached", "uncached"].flatMap { series in
                        ["udp", "tls"].map { "\(label) \(series) \($0)" }
                    }
                }
        )
        let text = report.render(as: .text, width: 300, colour: false)
        let row = try #require(
            text.split(separator: "\n").last { $0.contains("place 1 ") }.map(String.init)
        )
        let medians = row.matches(of: #/ (\d+)\.\d+ ms/#).map { $0.1 }
        #expect(medians.first?.first == "2" && medians.dropFirst().first?.first == "8", "\(row)")
    }

    @Test func `the test uses the margin, and few hours are undecided`() throws {
        #expect(try report(places: 2, near: 2, margin: 10).findings[0].places[0].isNotFaster)
        let few = try report(places: 2, near: 2, rounds: 0..<8)
        #expect(few.findings.allSatisfy { $0.share == 0...1 })
        let text = few.render(as: .text, width: 80, colour: false)
        #expect(
            text.hasPrefix(
                "No place is known where another resolver is more than 5 ms faster than meadow.\n"
            )
        )
        #expect(text.contains("- brook: not known to be faster at any place (95 %"))
    }

    @Test func `many places are counted beyond the first five`() throws {
        let text = try report(places: 9, near: 8, margin: 0)
            .render(as: .text, width: 120, colour: false)
        #expect(text.hasPrefix("brook is faster than meadow at 8 of 9 places.\n"))
        #expect(text.contains("faster at place 1, place 2, place 3, place 4, place 5 and 3 more ("))
    }

    @Test func `a resolver without shared places is not compared`() throws {
        let report = try report(places: 2, near: 1, against: "nowhere")
        #expect(report.findings.isEmpty)
        #expect(
            report.render(as: .text, width: 100, colour: false)
                .hasPrefix("No other resolver was measured in the same hours as nowhere.\n")
        )
    }
}
