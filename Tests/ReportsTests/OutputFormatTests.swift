import Failures
import Reports
import Testing

struct OutputFormatTests {
    @Test(arguments: [
        ("x.json", OutputFormat.json), ("/a/b.c/x.TXT", .text), ("x.tar.md", .markdown),
        ("./.svg", .svg), ("x.csv", .csv),
    ])
    func `the suffix chooses the format`(path: String, format: OutputFormat) throws {
        #expect(try OutputFormat(path: path) == format)
    }

    @Test(arguments: ["x.pdf", "json", "x.", "", "/a.json/x", "x.json/", "x.json.gz"])
    func `an unknown suffix is rejected with the known suffixes`(path: String) {
        let error = #expect(throws: Failure.self) { try OutputFormat(path: path) }
        #expect(error?.status == .usage)
        let text = error?.description ?? ""
        #expect(text.contains("'\(path)'"))
        #expect(text.contains(".txt, .csv, .json, .md, .svg"))
    }
}
