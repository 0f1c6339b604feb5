import Samples
import Testing

@Suite struct QueryPatternTests {
    private func pattern(_ text: String) throws -> QueryPattern {
        try QueryPattern(list: Array(text.utf8), file: "p.csv")
    }

    @Test func `times are sorted, and begin at zero`() throws {
        let found = try pattern(
            "\u{feff}name,time\r\nb.example,2026-11-28T10:00:02.5Z\r\n"
                + "a.example,2026-11-28T11:00:00+01:00\r\n\r\nA.example,1795860004\r\n"
        )
        #expect(found.times == [0, 2.5, 4])
        #expect(found.names == 2 && found.span == 4 && found.resolver == nil)
    }

    @Test(arguments: [
        (text: "", error: "p.csv, line 1: has no query"),
        ("a,b\n1,2\n", "p.csv, line 1: the header needs the columns 'time' and 'name'"),
        ("time,name\n", "p.csv, line 1: has no query"),
        ("time,name\n1\n", "p.csv, line 2: has 1 cells where the header has 2"),
        (
            "time,name\n1,a\n1e300,a\n",
            "p.csv, line 3, column time: give a time as 2026-11-21T03:35:12Z, or seconds since 1970"
        ),
        (
            "time,name\nnan,a\n",
            "p.csv, line 2, column time: give a time as 2026-11-21T03:35:12Z, or seconds since 1970"
        ),
    ])
    func `the error names the line`(text: String, error: String) throws {
        let thrown = #expect(throws: SamplesError.self) { try pattern(text) }
        #expect(thrown?.description == error)
    }

    @Test func `the longest possible span is finite`() throws {
        let found = try pattern("time,name\n-9200000000,a\n9200000000,b\n")
        #expect(found.span > 9.2e9 && found.span.isFinite)
    }

    @Test func `a list is recognised by its header`() {
        #expect(QueryPattern.isList(Array("time,name\n".utf8)))
        #expect(QueryPattern.isList(Array("client,name,time\r\n1".utf8)))
        #expect(!QueryPattern.isList(Array("run,round,resolver,name,outcome\n".utf8)))
        #expect(!QueryPattern.isList(Array("{\"name\": \"time\"}\n".utf8)))
    }

    @Test func `a recording has the queries to its most frequent resolver`() throws {
        let recording = try Recording.example()
        let found = try #require(QueryPattern(recording))
        let labels = recording.samples.map { recording.targets[Int($0.target)].label }
        let counts = Dictionary(grouping: labels) { $0 }.mapValues(\.count)
        #expect(counts[try #require(found.resolver)] == counts.values.max())
        #expect(QueryPattern(Recording()) == nil)
    }
}
