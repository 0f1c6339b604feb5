import Foundation
import Testing

/// The sentences in the string literals of all sources.
@Suite struct StringsTests {
    /// Folders and files whose literals are not text for people.
    private static let silent = [
        "Judge/Statistics/", "Keep/Store/Schema", "Keep/Store/RoundTable", "Keep/Store/SampleTable",
        "Keep/Store/RollupTable", "Keep/Store/ConnectionTable",
    ]

    /// Regular expressions for words that are not plain English or not a standard term.
    private static let ruledOut = [
        "\\bsooner\\b", "cannot be told apart", "(^|[^-])\\bagainst [0-9{]", "(?i)\\bwhom\\b",
        "(?i)\\bwhoever\\b", "what you use now", "(?i)sure to\\b", "late-waking", "slept-rounds",
        "(?i)\\btakes? (a|one|no) rounds?\\b", "exclude each other", "' is none;", "For that is",
        "a row a \\w+", "a column a \\w+", "a file a \\w+", "queries a second", "worth it\\b",
        "(?i)upwards:", "(?i)to the right:", "not advised", "held against", "more than luck",
        "hasn't|isn't|can't|don't",
    ]

    /// The sentences of each file. The files are read once.
    private static let catalogue = Result { try read() }

    private static func read() throws -> [(file: String, sentences: [String])] {
        let sources = "\(InstallTests.root)/Sources"
        let files = FileManager.default.enumerator(atPath: sources)?.allObjects ?? []
        return try files.compactMap { $0 as? String }.sorted()
            .filter { file in
                file.hasSuffix(".swift") && !silent.contains { file.hasPrefix($0) }
            }
            .map { file in
                let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
                return (file, SourceStrings(of: text).sentences)
            }
            .filter { !$0.sentences.isEmpty }
    }

    @Test func `no sentence contains a forbidden expression`() throws {
        let rules = try Self.ruledOut.map { try Regex($0) }
        for (file, sentences) in try Self.catalogue.get() {
            for sentence in sentences {
                for (rule, pattern) in zip(rules, Self.ruledOut) where sentence.contains(rule) {
                    Issue.record("\(file): '\(pattern)' in: \(sentence)")
                }
            }
        }
    }

    @Test func `literals become sentences, with sums joined and code left out`() {
        let source = #"""
            // "no words here"
            let a = "one two \(x ? "three four" : "\(y)") five" + "\u{2026}"
                + " six"
            let b = """
                seven \
                eight
                nine ten
                """
            let c = #"eleven "twelve" thirteen"#
            let d = "SELECT a FROM b" + "key"
            """#
        #expect(
            SourceStrings(of: source).sentences
                == [
                    "three four", "one two {} five six", "seven eight", "nine ten",
                    #"eleven "twelve" thirteen"#,
                ]
        )
    }
}
