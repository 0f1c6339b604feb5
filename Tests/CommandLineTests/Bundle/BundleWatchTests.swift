import Foundation
import Servers
import Testing

/// `watch --evidence`: one folder per run.
@Suite struct BundleWatchTests {
    /// The bundles of the runs of a watch.
    private func bundles(_ folder: TemporaryFolder) throws -> [KeptBundle] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("kept")).sorted()
            .map { KeptBundle(folder: folder, name: "kept/\($0)") }
    }

    /// Expects one line per bundle, with the counts of its samples and messages.
    private func expectSound(_ bundles: [KeptBundle], _ folder: TemporaryFolder) async throws {
        let run = try await Binary.succeedSilently(
            ["report", "--recompute", "kept"],
            in: folder.path
        )
        let lines = try bundles.map { bundle in
            let messages = try bundle.frames.count { !$0.message.isEmpty }
            return
                "\(bundle.samples.rows.count) samples recomputed from \(messages) messages: all as "
                + "in '\(bundle.name)/samples.csv'\n"
        }
        #expect(run.output == lines.joined())
    }

    @Test func `the rounds of a watch are recomputed from the messages`() async throws {
        let folder = TemporaryFolder()
        try await Binary.succeedSilently(
            ["watch", "--lab", "meadow", "brook", "glacier", "--evidence", "kept"]
                + ["--interval", "50ms", "--rounds", "3", "--series", "cached,uncached"],
            in: folder.path
        )
        let bundles = try bundles(folder)
        try #require(bundles.count == 1)
        #expect(Set(bundles[0].samples.column("round")) == ["1", "2", "3"])
        // A warm-up detects cache hits only with enough names. The default names are enough.
        #expect(bundles[0].samples.column("warmup_hits").contains { $0 != "" })
        try await expectSound(bundles, folder)
        // A single bundle is accepted like the folder of all bundles.
        let one = try await bundles[0].recompute([])
        #expect(one.code == 0 && one.output.hasPrefix("\(bundles[0].samples.rows.count) samples"))
        let table = try await bundles[0].recompute(["--format", "json"])
        #expect(table.code == 64 && table.errors.contains("has no report"))
    }

    @Test(arguments: [(signal: SIGTERM, code: Int32(0)), (SIGINT, Int32(130))])
    func `a watch starts a new bundle after SIGHUP`(signal: Int32, code: Int32) async throws {
        try await withResponder { query in
            // With unanswered queries, a round is unfinished when the watch ends or reads its settings again.
            query.ordinal % 7 == 6 ? [] : [.reply(query.answer())]
        } _: { responder in
            let words = [
                "\(responder.endpoint)", "-d", "a.test", "--no-store", "--timeout", "200ms",
            ]
            try await Binary.withWatch(words + ["--evidence", "kept"]) { watch in
                let isRound = { (line: String) in line.hasPrefix("round ") }
                try await watch.wait { $0.output.count(where: isRound) >= 4 }
                watch.process.send(signal: SIGHUP)
                try await watch.wait { !$0.errors.isEmpty }
                let count = watch.output.count(where: isRound)
                try await watch.wait { $0.output.count(where: isRound) >= count + 3 }
                watch.process.send(signal: signal)
                #expect(await watch.process.end() == .code(code))
                let bundles = try bundles(watch.folder)
                #expect(bundles.count == 2)
                let rounds = bundles.reduce(0) { $0 + Set($1.samples.column("round")).count }
                #expect(rounds == watch.output.count(where: isRound))
                try await expectSound(bundles, watch.folder)
            }
        }
    }
}
