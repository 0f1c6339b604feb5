import Foundation
import Servers
import Testing

@testable import dnstempo

@Suite struct GuideHelpTests {
    private static let names: Set<String> = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let files = try? FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent("data/docs/guide").path
        )
        return Set((files ?? []).filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) })
    }()

    @Test func `the program has every page of the guide`() {
        #expect(Set(GuidePage.all.map(\.name)) == Self.names)
        #expect(GuidePage.all.first?.name == "README")
    }

    @Test(arguments: [
        (["help", "cron"], "How do I measure for months?"),
        (["help", "sample-from-cron"], "How do I measure for months?"),
        (["help", "guide", "compare"], "Which resolver is fastest for me?"),
        (["help", "compare"], "OVERVIEW: Measure resolvers side by side, now."),
        (["help", "guide"], "Guide"),
    ])
    func `help prints the page of a topic, or the help of a command`(
        words: [String],
        beginning: String
    ) async throws {
        let text = try await Command.succeedSilently(words).output
        #expect(text.hasPrefix(beginning + "\n"))
        #expect(text.hasSuffix("\n"))
    }

    @Test(arguments: names)
    func `the prose of a page fits the terminal and has no marks of Markdown`(
        name: String
    ) async throws {
        let words = ["help", "guide"] + (name == "README" ? [] : [name])
        let text = try await Command.succeed(words, environment: ["COLUMNS": "60"]).output
        for line in text.split(separator: "\n") where !line.hasPrefix("    ") {
            #expect(
                line.count <= 60 || line.contains("://") || !line.dropFirst(4).contains(" ")
                    || line.contains("dnstempo "),
                "\(line)"
            )
            #expect(!line.contains("](") && !line.contains("**"))
        }
    }

    @Test(arguments: [
        (["help", "crn"], "unknown command or topic 'crn'; did you mean 'cron'?"),
        (["help", "zzzzzz"], "dnstempo help guide lists the topics"),
        (["help", "reports"], ""),
    ])
    func `the error names the unknown topic`(words: [String], error: String) async throws {
        let run = try await Command.run(words)
        #expect(run.code == (error.isEmpty ? 0 : 64))
        #expect(error.isEmpty || run.errors.contains(error))
    }
}
