import Servers
import Testing

/// Command lines with thousands of words, which scripts can generate.
@Suite struct ManyWordsTests {
    private static let numbers = 1...6_000

    @Test func `thousands of resolvers are read in order`() async throws {
        let labels = Self.numbers.map { "r\($0)" }
        var words = labels.map { "\($0)=127.0.0.1" }
        // These options are between the resolvers. One option has a value.
        words.insert(contentsOf: ["-q", "--baseline", "none"], at: 300)
        words.insert("--no-store", at: 200)
        let run = try await Binary.run(["compare"] + words + ["-d", "example.com"])
        #expect(run.code == 64 && run.output == "")
        let advice = "choose one of \(labels.joined(separator: ", "))\n"
        #expect(run.errors.hasSuffix(advice), "\(run.errors.prefix(200))")
    }

    @Test func `thousands of labels and names are read, errors name invalid ones`() async throws {
        let labels = Self.numbers.flatMap { ["--label", "key\($0)=value"] }
        let central = ["--store", "postgresql://127.0.0.1:1/dns"]
        let enrol = try await Binary.run(
            ["store", "enrol", "berlin"] + labels + central + ["--label", "wrong"]
        )
        #expect(enrol.code == 64)
        #expect(enrol.errors.contains("--label 'wrong': write KEY=VALUE"), "\(enrol.errors)")
        let names = Self.numbers.flatMap { ["-d", "n\($0).example.com"] }
        let compare = try await Binary.run(
            ["compare", "127.0.0.1", "--no-store"] + names + ["-d", "two..dots"]
        )
        #expect(compare.code == 64)
        #expect(compare.errors.contains("two..dots"), "\(compare.errors.prefix(200))")
    }

    @Test func `a printed schedule keeps all words of a long command line`() async throws {
        let words = (1...150).map { "r\($0)=127.0.0.1" }
        let run = try await Binary.succeed(
            ["schedule", "print", "--systemd"] + words + ["-d", "a.example"]
        )
        let quoted = words.map { "\"\($0)\"" } + ["\"-d\"", "\"a.example\""]
        #expect(run.output.contains(quoted.joined(separator: " ")), "\(run.output)")
    }
}
