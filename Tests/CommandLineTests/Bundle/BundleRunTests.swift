import Foundation
import Servers
import Testing

/// `compare --evidence`, and the results that `report --recompute` computes from the bundle.
@Suite struct BundleRunTests {
    private let folder = TemporaryFolder()
    static let runs = [
        // The default run, but shorter. The run sends its rounds in parts, and ends at the verdict.
        ["meadow", "harbour", "brook", "--max-rounds", "8"],
        ["meadow", "brook", "--rounds", "2", "--series", "cached,uncached", "--strategies"],
        ["meadow", "brook", "--rounds", "2", "-d", "a.test", "-d", "b.test", "-t", "browser"],
        ["meadow", "brook", "--rounds", "2", "-d", "a.test", "--sampling", "poisson"],
        ["meadow", "brook", "--series", "as-found", "-d", "a.test", "-d", "b.test"],
        // A run with a registered metric. The report contains the IDs of the queries.
        ["brook", "--rounds", "8", "-d", "a.test", "--sampling", "poisson", "--no-check"],
    ]

    @Test(arguments: runs)
    func `samples and report are recomputed from the messages`(words: [String]) async throws {
        let folder = TemporaryFolder()
        let bundle = try await KeptBundle.comparing(["--lab"] + words, in: folder)
        #expect(!bundle.samples.rows.isEmpty)
        try await bundle.expectSound()
    }

    @Test func `a hostile lab's answers, losses and late answers are recomputed`() async throws {
        let bundle = try await KeptBundle.comparing(
            ["--lab", "hostile", "--rounds", "1", "--timeout", "300ms", "--nsid", "--cookie"]
                + ["--series", "cached,uncached", "--expect", "google.com A 192.0.2.1"],
            in: folder
        )
        let outcomes = Set(bundle.samples.column("outcome"))
        #expect(outcomes.isSuperset(of: ["answered", "timeout", "wrong"]), "\(outcomes)")
        try await bundle.expectSound()
    }

    @Test func `samples and report are recomputed in any environment`() async throws {
        let words = ["--lab", "meadow", "brook", "--rounds", "2", "-d", "a.test", "-d", "b.test"]
        let bundle = try await KeptBundle.comparing(words, in: folder)
        let other = KeptBundle(folder: TemporaryFolder(), name: "kept elsewhere")
        try FileManager.default.copyItem(atPath: bundle.path, toPath: other.path)
        try await other.expectSound(
            environment: ["TZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8", "LC_ALL": "tr_TR.UTF-8"]
        )
        // `--recompute` also prints the report in the default format, which is a table.
        let table = try await other.recompute([])
        #expect(table.code == 0)
        #expect(table.output.contains("meadow") && table.output.contains("brook"))
    }

    @Test func `the report names the command that draws the evidence`() async throws {
        let words = ["--lab", "meadow", "brook", "--rounds", "2", "-d", "a.test"]
        let bundle = try await KeptBundle.comparing(words, in: folder)
        let table = try await bundle.recompute([])
        let command = "dnstempo report --recompute \(bundle.name) -o charts.svg"
        #expect(table.output.contains("See the charts: \(command)\n"))
        try await Binary.succeed(
            command.split(separator: " ").dropFirst().map(String.init),
            in: folder.path
        )
        #expect(FileManager.default.fileExists(atPath: folder.file("charts.svg")))
    }

    @Test func `programs of other authors read all messages`() async throws {
        let words = ["--lab", "meadow", "brook", "--rounds", "2", "-d", "a.test", "-d", "b.test"]
        let bundle = try await KeptBundle.comparing(words, in: folder)
        let file = "\(bundle.path)/messages-000001.fstrm"
        let read = try await Program("dnstap-ldns", package: "dnstap-ldns").run(["-q", "-r", file])
        #expect(read.code == 0 && read.errors == "")
        let lines = read.output.split(separator: "\n")
        // Eight counted queries and answers, and the warm-ups.
        #expect(lines.count == (try bundle.frames.count) && lines.count >= 16)
        #expect(lines.count { $0.contains(" TQ 127.0.0.1 UDP ") } == lines.count / 2)
        #expect(lines.count { $0.contains(" TR 127.0.0.1 UDP ") } == lines.count / 2)
        let dug = try await Program("kdig", package: "knot-dnsutils").run(["-G", file])
        #expect(dug.code == 0 && dug.errors == "")
        let answers = dug.output.split(separator: "\n").count { $0.hasPrefix(";; Received ") }
        #expect(answers == lines.count / 2)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted run leaves a complete bundle`(signal: Int32) async throws {
        let (asked, announce) = AsyncStream<Int>.makeStream()
        try await withResponder { query in
            announce.yield(query.ordinal)
            // The last queries are in flight when the run ends.
            return query.ordinal >= 15 ? [] : [.reply(query.answer())]
        } _: { responder in
            let arguments = [
                "compare", "\(responder.endpoint)", "-d", "a.test", "-d", "b.test", "--rounds",
                "100000", "--rate", "200", "--evidence", "kept", "--no-store", "-q",
            ]
            try await Binary.withRunning(arguments) { process, folder in
                for await ordinal in asked where ordinal >= 60 { break }
                process.send(signal: signal)
                #expect(await process.end() == .code(130))
                let bundle = KeptBundle(folder: folder)
                #expect(bundle.samples.rows.count >= 8)
                let caveats = try JSON(folder.text("kept/comparison.json"))["caveats"]
                let codes = (caveats as? [[String: String]] ?? []).map { $0["code"] }
                #expect(codes.contains("interrupted"))
                try await bundle.expectSound()
            }
        }
    }
}
