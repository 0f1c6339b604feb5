import Fixtures
import Foundation
import Servers
import Testing

/// Searches all outputs for the values that a redaction removes.
@Suite struct RedactTests {
    /// The commands without their outputs. FILE and PLACES are samples files of one and of two places, and
    /// STORE is a store with the samples of FILE. The values are those that the same command shows without
    /// redaction.
    static let reports: [(words: [String], shown: [String])] = [
        (["report", "FILE"], ["secretrouter", "secretvantage", "secretfolder"]),
        (["report", "FILE", "--baseline", "secretrouter"], ["secretrouter", "secretname"]),
        (["report", "FILE", "--baseline", "secretrouter", "--strategies"], ["secretrouter"]),
        (["report", "FILE", "--by", "name"], ["secretname"]),
        (["report", "FILE", "--by", "hour"], ["secretrouter"]),
        (["report", "FILE", "--name", "secretname.example"], ["secretname"]),
        (["report", "FILE", "--changes"], ["secretvantage"]),
        (["report", "FILE", "--against", "6h"], ["secretrouter"]),
        (["report", "FILE", "--against", "PLACES"], ["secretrouter"]),
        (["report", "FILE", "--objective", "p95 < 50ms"], ["secretrouter"]),
        (["report", "PLACES"], ["secretrouter from secretvantage", "secretvantage-office"]),
        (["report", "PLACES", "--by", "vantage"], ["secretvantage-office"]),
        (["report", "PLACES", "--baseline", "system"], ["secretvantage-office"]),
        (
            ["report", "--store", "STORE", "--origin", "all", "--since", "2026-03-01"],
            ["secretrouter"]
        ),
        (["report", "--store", "STORE", "secretrun"], ["secretrouter", "secretrun"]),
        (["digest", "FILE", "--baseline", "secretrouter"], ["secretrouter", "secretvantage"]),
    ]

    private static let suffixes = ["txt", "csv", "json", "md", "svg", "html"]

    /// Runs a command and returns its standard output and all files that it wrote, as one text.
    private func output(
        _ words: [String],
        of values: RedactedValues,
        isRedacted: Bool,
        files: [String] = []
    ) async throws -> String {
        let folder = TemporaryFolder()
        let place = folder.file("secretfolder")
        try FileManager.default.createDirectory(
            atPath: place,
            withIntermediateDirectories: true
        )
        let paths = ["FILE": "one.csv", "PLACES": "two.csv", "STORE": "store.sqlite"]
        let given = words.map { paths[$0].map(values.path) ?? $0 }
        let outputs = files.flatMap { ["-o", "\(place)/\($0)"] }
        let run = try await Binary.run(
            given + outputs + (isRedacted ? ["--redact"] : []),
            environment: ["USER": "secretuser"],
            in: values.folder.path
        )
        #expect(run.code == 0 || run.code == 69, "\(words): \(run.errors)")
        return run.output + (try RedactedValues.contents(of: place))
    }

    private func expectNothing(
        of values: [String] = RedactedValues.all,
        in text: String,
        _ words: [String]
    ) {
        let folded = text.lowercased()
        for value in values {
            guard let place = folded.firstRange(of: value.lowercased()) else { continue }
            let start = folded.index(place.lowerBound, offsetBy: -80, limitedBy: folded.startIndex)
            let context = folded[(start ?? folded.startIndex)..<place.upperBound]
            Issue.record("\(value) in the output of \(words): …\(context)")
        }
    }

    private func measured() async throws -> RedactedValues {
        let values = try RedactedValues()
        let store = values.path("store.sqlite")
        try await Binary.succeed(["store", "import", values.path("one.csv"), "--store", store])
        return values
    }

    @Test(arguments: reports)
    func `no redacted report contains a removed value`(
        words: [String],
        shown: [String]
    ) async throws {
        let values = try await measured()
        let files = Self.suffixes.map { "report.\($0)" } + ["card.svg"]
        let text = try await output(words, of: values, isRedacted: true, files: files)
        expectNothing(in: text, words)
        #expect(text.contains("\"redacted\": true"))
        #expect(text.contains("Redacted: names, private addresses, vantage"))
        for format in ["csv", "json", "markdown"] {
            let words = words + ["--format", format]
            expectNothing(in: try await output(words, of: values, isRedacted: true), words)
        }
        let control = try await output(words, of: values, isRedacted: false, files: files)
        for value in shown { #expect(control.contains(value), "\(value)") }
        #expect(!control.contains("redacted"))
    }

    @Test(arguments: ["timeline", "smoke", "heatmap", "distribution", "percentiles", "bars"])
    func `no redacted chart contains a removed value`(kind: String) async throws {
        let values = try RedactedValues()
        for words in [["chart", "FILE", "--kind", kind], ["chart", "PLACES", "--kind", kind]] {
            let files = ["chart.svg"]
            var text = try await output(words, of: values, isRedacted: true)
            text += try await output(words, of: values, isRedacted: true, files: files)
            text += try await output(words, of: values, isRedacted: true, files: ["charts/"])
            expectNothing(in: text, words)
            #expect(text.contains("Redacted: names"))
            let control = try await output(words, of: values, isRedacted: false, files: files)
            #expect(control.contains("secretrouter") && control.contains("secretvantage"))
        }
    }

    @Test(arguments: [
        ["export", "FILE"], ["export", "PLACES", "--format", "jsonl"],
        ["export", "FILE", "--format", "atlas"], ["export", "--rollups", "STORE"],
        ["export", "--store", "STORE"],
    ])
    func `no redacted export contains a removed value`(words: [String]) async throws {
        let values = try await measured()
        expectNothing(in: try await output(words, of: values, isRedacted: true), words)
        let control = try await output(words, of: values, isRedacted: false)
        #expect(control.contains("192.168.77.1"))
    }

    @Test func `no file of a redacted matrix has a removed name`() async throws {
        let values = try RedactedValues()
        let words = ["export", "FILE", "--layout", "matrix"]
        let text = try await output(words, of: values, isRedacted: true, files: ["tables"])
        expectNothing(in: text, words)
        #expect(text.contains("name-1.invalid"))
        let control = try await output(words, of: values, isRedacted: false, files: ["tables"])
        #expect(control.contains("secretname") && control.contains("secretrouter"))
    }

    @Test func `a redacted export is a samples file with the same figures`() async throws {
        let values = try RedactedValues()
        let file = values.folder.file("shared.csv")
        try await Binary.succeed(["export", values.path("one.csv"), "--redact", "-o", file])
        let words = ["--by", "resolver", "--format", "csv", "--redact"]
        let original = try await Binary.succeed(["report", values.path("one.csv")] + words)
        let shared = try await Binary.succeed(["report", file] + words)
        #expect(shared.output == original.output)
        #expect(shared.output.contains("private-1"))
    }

    @Test func `kept names stay, and all other values are removed`() async throws {
        let values = try RedactedValues()
        let words = ["report", "FILE", "--baseline", "secretrouter", "--keep-names"]
        let files = Self.suffixes.map { "report.\($0)" }
        let text = try await output(words, of: values, isRedacted: true, files: files)
        #expect(text.contains("secretname.example"))
        #expect(text.contains("Redacted: private addresses, vantage"))
        expectNothing(
            of: RedactedValues.all.filter { !RedactedValues.names.contains($0) },
            in: text,
            words
        )
    }
}
