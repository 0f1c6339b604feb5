import Foundation
import Servers
import Testing

/// Changes in three weeks of rounds. Twenty hours ago, all resolvers became slower at the same time.
@Suite(.timeLimit(.minutes(2))) struct ChangeCauseTests {
    /// Returns the text of a samples file. Every half hour, three resolvers get queries for two names.
    private static func history(until end: Date) -> String {
        let times = ISO8601DateFormatter()
        var lines = [
            "run,round,scheduled,vantage,resolver,endpoint,transport,name,type,outcome,rtt_ms,"
                + "timeout_ms,origin"
        ]
        for round in 0..<(21 * 48) {
            let start = end.addingTimeInterval(Double(round - 21 * 48) * 1800 - 3600)
            let step = start > end.addingTimeInterval(-20 * 3600) ? 8.0 : 0
            for query in 0..<6 {
                let (resolver, name) = (query % 3, query / 3)
                let noise = Double((round * 7919 + query * 104_729) % 100) / 100
                let time = Double(12 + 4 * resolver + name) + step + noise
                lines.append(
                    "r,\(round + 1),\(times.string(from: start)),here,r\(resolver),"
                        + "127.\(resolver).0.1:53,udp,n\(name).example,A,answered,\(time),5000,"
                        + "sample"
                )
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func `the cause of a change is kept when its samples are deleted`() async throws {
        let folder = TemporaryFolder()
        func run(_ words: String) async throws -> CommandOutput {
            try await Binary.run(words.split(separator: " ").map(String.init), in: folder.path)
        }
        try folder.write(Self.history(until: Date()), to: "s.csv")
        try folder.writeProgram("#!/bin/sh\ncat >handed\n", to: "tell")
        let imported = try await run("store import s.csv --store s.sqlite")
        #expect(imported.code == 0, "\(imported.errors)")
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let sampled = try await run(
                "sample r0=\(responder.endpoint) -d example.com --no-check --store s.sqlite "
                    + "--vantage here --notify ./tell"
            )
            #expect(sampled.code == 0 && sampled.errors == "", "\(sampled.errors)")
        }
        Documents.keep(folder.read("handed"), of: ["sample", "--notify"])
        let notices = try #require(try JSON(folder.text("handed"))["notices"] as? [[String: Any]])
        #expect(notices.count == 3)
        for notice in notices {
            let text = try #require(notice["text"] as? String)
            #expect(
                text.contains(
                    #/[78]\.\d ms slower since .* Cause: your own connection \(8\.0 of 8\.\d ms, /#
                ),
                "\(text)"
            )
        }

        // Both reports cover the same week, which includes the latest round.
        let end = Date().addingTimeInterval(1)
        let start = end.addingTimeInterval(-7 * 86_400)
        let report =
            "report --changes --since \(start.formatted(.iso8601)) --until "
            + "\(end.formatted(.iso8601)) --format json --store s.sqlite"
        let told = try await run(report)
        let changes = try #require(try JSON(told.output)["changes"] as? [[String: Any]])
        let words = changes.map { ($0["cause"] as? [String: Any])?["word"] as? String }
        #expect(words == ["line", "line", "line"])
        let pruned = try await run("store prune --older-than 1h --store s.sqlite")
        #expect(pruned.code == 0, "\(pruned.errors)")
        let retold = try await run(report)
        let rechanges = try #require(try JSON(retold.output)["changes"] as? [[String: Any]])
        #expect(rechanges as NSArray == changes as NSArray)
        let check = try await run("store check --store s.sqlite")
        #expect(check.code == 0, "\(check.output)")
    }

    #if os(Linux)
    @Test func `the path is traced once and reported with the change`() async throws {
        let folder = TemporaryFolder()
        func run(_ words: String) async throws -> CommandOutput {
            try await Binary.run(words.split(separator: " ").map(String.init), in: folder.path)
        }
        try folder.write(Self.history(until: Date()), to: "s.csv")
        try folder.writeProgram("#!/bin/sh\ncat >handed\n", to: "tell")
        #expect(try await run("store import s.csv --store s.sqlite").code == 0)
        try await withResponder {
            [.reply($0.answer(option: 3, Array("ams1".utf8)))]
        } _: { responder in
            // The watch does not query the other resolvers.
            let watch =
                "watch r0=\(responder.endpoint) -d example.com --no-check --store s.sqlite "
                + "--vantage here --rounds 2 --interval 0s --trace --notify ./tell"
            let watched = try await run(watch)
            let line =
                /dnstempo: r0 is slower. Path: 127.0.0.1 .* ms; reached at hop 1, site ams1.\n/
            #expect(watched.code == 0)
            #expect(watched.errors.wholeMatch(of: line) != nil, "\(watched.errors)")
            #expect(try await run(watch).errors == "")
        }
        func ends(_ members: Any?) throws -> [String?] {
            try #require(members as? [[String: Any]])
                .map { ($0["trace"] as? [String: Any])?["end"] as? String }
        }
        Documents.keep(folder.read("handed"), of: ["sample", "--notify"])
        let notices = try JSON(folder.text("handed"))["notices"]
        #expect(try ends(notices).compactMap(\.self) == ["answered"])
        let told = try await run("report --changes --since 7d --format json --store s.sqlite")
        #expect(try ends(JSON(told.output)["changes"]).compactMap(\.self) == ["answered"])
        let text = try await run("report --changes --since 7d --store s.sqlite --resolver r0")
        #expect(text.output.contains("Path: 127.0.0.1 "), "\(text.output)")
    }
    #endif
}
